import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

export interface RecordCounts {
  accounts: number;
  /** Active keys. */
  keys: number;
  /** Live grants. */
  connections: number;
  /** Pending deletions at the identity provider that do not wait for a sign-in. */
  deletions: number;
  /** Age in seconds of the earliest that is due; 0 when there is none. */
  deletionAge: number;
  /** Mails that are neither sent nor given up. */
  mails: number;
  /** Age in seconds of the oldest of them; 0 when there is none. */
  mailAge: number;
}

/** Counts the stored records. */
export async function countRecords(db: Queryable): Promise<RecordCounts> {
  const [counted] = await db.query<RecordCounts>(sql`
    select
      (select count(*) from accounts) as accounts,
      (select count(*) from api_keys
        where revoked_at is null and (expires_at is null or expires_at > now())) as keys,
      (select count(*) from grants where revoked_at is null) as connections,
      count(*) filter (where sealed_session is not null) as deletions,
      coalesce(greatest(0, extract(epoch from
        now() - min(due_at) filter (where sealed_session is not null))), 0)::float8 as "deletionAge",
      (select count(*) from mails where recipient is not null) as mails,
      (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8
        from mails where recipient is not null) as "mailAge"
    from upstream_deletions`);
  return counted as RecordCounts;
}
