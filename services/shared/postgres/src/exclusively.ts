import pg from "pg";

/**
 * Does `work` while nobody else does work of the same name in this database; waits for whoever does.
 * A process that dies lets the next one in.
 */
export async function exclusively<Result>(
  url: string,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // Work that has lost its lock fails by itself if the database is away.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
    return await work();
  } finally {
    await client.end();
  }
}
