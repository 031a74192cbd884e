import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { Grant, GrantOutcome } from "../domain/grant.ts";
import type { Scope } from "../domain/scopes.ts";

interface GrantRow {
  client_id: string;
  client_name: string;
  redirect_host: string;
  scopes: Scope[];
  granted_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

function toGrant(row: GrantRow): Grant {
  return {
    clientId: row.client_id,
    clientName: row.client_name,
    redirectHost: row.redirect_host,
    scopes: row.scopes,
    grantedAt: row.granted_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

/** A consent to be stored. */
export interface NewGrant {
  id: string;
  accountId: string;
  clientId: string;
  clientName: string;
  redirectHost: string;
  scopes: readonly Scope[];
  /** Authorization request at the identity provider. */
  authorizationId: string | null;
}

/** A grant after a consent. */
export interface StoredGrant {
  grant: Grant;
  outcome: GrantOutcome;
  /** Milliseconds until it takes effect, by the database's clock; 0 or less once it has. */
  startsInMs: number;
}

/**
 * Stores a consent. A repeated consent takes effect at the next whole second, so that no earlier
 * token is accepted under it; of the same authorization request, it changes nothing.
 */
export async function upsertGrantTx(tx: Transaction, grant: NewGrant): Promise<StoredGrant> {
  const rows = await tx.query<GrantRow & { is_new: boolean; starts_in_ms: number }>(sql`
    insert into grants (
      id, account_id, client_id, client_name, redirect_host, scopes, authorization_id, granted_at
    )
    values (
      ${grant.id}, ${grant.accountId}, ${grant.clientId}, ${grant.clientName},
      ${grant.redirectHost}, ${grant.scopes}, ${grant.authorizationId}, clock_timestamp()
    )
    on conflict on constraint grants_client_unique do update set
      client_name = excluded.client_name,
      redirect_host = excluded.redirect_host,
      scopes = excluded.scopes,
      authorization_id = case when grants.revoked_at is not null then excluded.authorization_id end,
      granted_at = date_trunc('second', clock_timestamp()) + interval '1 second',
      revoked_at = null
    where grants.revoked_at is not null
      or grants.authorization_id is distinct from excluded.authorization_id
      or excluded.authorization_id is null
    returning grants.*, authorization_id is not null as is_new,
      extract(epoch from granted_at - clock_timestamp())::double precision * 1000 as starts_in_ms
  `);
  const [row] = rows;
  if (row) {
    const outcome = row.is_new ? "new" : "replaced";
    return { grant: toGrant(row), outcome, startsInMs: row.starts_in_ms };
  }
  const existing = await findGrant(tx, grant.accountId, grant.clientId);
  return { grant: existing!, outcome: "repeated", startsInMs: 0 };
}

/** How many grants the account has for other clients: live ones, and all. */
export async function countOtherGrantsTx(
  tx: Transaction,
  accountId: string,
  clientId: string,
): Promise<{ live: number; all: number }> {
  const rows = await tx.query<{ live: number; all: number }>(sql`
    select count(*) filter (where revoked_at is null)::int as live, count(*)::int as all
    from grants
    where account_id = ${accountId} and client_id <> ${clientId}
  `);
  return rows[0]!;
}

/**
 * Deletes revoked grants of the account, except the client's own, the newest `kept` others, and
 * those still to be deleted at the identity provider. A token of a deleted grant is refused as
 * never granted.
 */
export async function deleteOldGrantsTx(
  tx: Transaction,
  { accountId, clientId }: { accountId: string; clientId: string },
  kept: number,
): Promise<void> {
  await tx.query(sql`
    delete from grants where id in (
      select id from grants
      where account_id = ${accountId} and client_id <> ${clientId} and revoked_at is not null
        and not exists (
          select from upstream_deletions deletion
          where deletion.account_id = grants.account_id and deletion.client_id = grants.client_id
        )
      order by revoked_at desc, id desc
      offset ${kept}
    )
  `);
}

/** Lists up to `limit` live grants of the account, newest first. */
export async function listGrants(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<Grant[]> {
  const rows = await db.query<GrantRow>(sql`
    select * from grants
    where account_id = ${accountId} and revoked_at is null
    order by granted_at desc, id desc
    limit ${limit}
  `);
  return rows.map(toGrant);
}

/** Changes the permissions of a live grant; undefined when there is none. */
export async function updateGrantScopes(
  db: Queryable,
  accountId: string,
  change: { clientId: string; scopes: readonly Scope[] },
): Promise<Grant | undefined> {
  const rows = await db.query<GrantRow>(sql`
    update grants set scopes = ${change.scopes}
    where account_id = ${accountId} and client_id = ${change.clientId} and revoked_at is null
    returning *
  `);
  return rows[0] && toGrant(rows[0]);
}

/** The client's grant, live or revoked. */
export async function findGrant(
  db: Queryable,
  accountId: string,
  clientId: string,
): Promise<Grant | undefined> {
  const rows = await db.query<GrantRow>(sql`
    select * from grants where account_id = ${accountId} and client_id = ${clientId}
  `);
  return rows[0] && toGrant(rows[0]);
}

/** Ends a live grant; undefined when there is none. */
export async function revokeGrantTx(
  tx: Transaction,
  accountId: string,
  clientId: string,
): Promise<Grant | undefined> {
  const rows = await tx.query<GrantRow>(sql`
    update grants set revoked_at = clock_timestamp()
    where account_id = ${accountId} and client_id = ${clientId} and revoked_at is null
    returning *
  `);
  return rows[0] && toGrant(rows[0]);
}
