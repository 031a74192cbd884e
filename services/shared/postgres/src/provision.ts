import pg from "pg";

export interface ServiceRole {
  /** Name of the role and of its schema. */
  name: string;
  password: string;
}

/**
 * Gives each service a role and a schema of its own, which no other service's role can read.
 * Running it again sets the passwords and changes nothing else. `url` is an administrator's.
 */
export async function provision(url: string, roles: readonly ServiceRole[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtextextended('provision', 0))");
    await client.query("create extension if not exists pg_trgm with schema public");
    await client.query("create extension if not exists unaccent with schema public");
    await client.query("revoke create on schema public from public");
    for (const role of roles) await provisionRole(client, role);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

async function provisionRole(client: pg.Client, role: ServiceRole): Promise<void> {
  const name = client.escapeIdentifier(role.name);
  const password = client.escapeLiteral(role.password);
  const { rowCount } = await client.query("select 1 from pg_roles where rolname = $1", [role.name]);
  await client.query(
    `${rowCount === 0 ? "create" : "alter"} role ${name} login password ${password}`,
  );
  // An administrator who is no superuser may hand a schema only to a role it is a member of.
  await client.query(`grant ${name} to current_user`);
  await client.query(`create schema if not exists ${name} authorization ${name}`);
}
