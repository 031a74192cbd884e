import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** When a key or a grant was used. */
export interface LastUse {
  /** UUID of the row. */
  id: string;
  usedAt: Date;
  /** Keyed hash of the client's address, null when unknown. */
  ipHash: Buffer | null;
}

/** Stores uses of keys, except for keys whose last stored use is less than a minute older. */
export async function updateKeysLastUse(db: Queryable, uses: readonly LastUse[]): Promise<void> {
  await db.query(sql`
    update api_keys set
      last_used_at = used.at,
      last_ip_hash = coalesce(used.ip_hash, last_ip_hash)
    from unnest(
      ${uses.map((use) => use.id)}::uuid[],
      ${uses.map((use) => use.usedAt)}::timestamptz[],
      ${uses.map((use) => use.ipHash)}::bytea[]
    ) as used (id, at, ip_hash)
    where api_keys.id = used.id
      and (last_used_at is null or last_used_at <= used.at - interval '1 minute')
  `);
}

/** Stores uses of grants in the same way; addresses are not stored. */
export async function updateGrantsLastUse(db: Queryable, uses: readonly LastUse[]): Promise<void> {
  await db.query(sql`
    update grants set last_used_at = used.at
    from unnest(
      ${uses.map((use) => use.id)}::uuid[],
      ${uses.map((use) => use.usedAt)}::timestamptz[]
    ) as used (id, at)
    where grants.id = used.id
      and (last_used_at is null or last_used_at <= used.at - interval '1 minute')
  `);
}
