import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql, preparedSql } from "@nutrition/postgres/sql";

import type { Fingerprint } from "../domain/fingerprint.ts";

/** A claim with the fencing token of its holder. */
export interface HeldClaim {
  accountId: string;
  hash: Buffer;
  fence: number;
}

export interface ExistingClaim {
  /** The result without its "duplicate" member; null while the work is in progress. */
  result: string | null;
  arguments_hash: Buffer | null;
  /** Whether its lease or its record has ended. */
  is_free: boolean;
}

/**
 * Takes the claim if it is free: new, left by a holder whose lease has ended, or the expired record
 * of an earlier call. Returns the holder's fence; undefined when it is not free.
 */
export async function acquireClaim(
  db: Queryable,
  accountId: string,
  { hash, argumentsHash, isUndated, leaseMs }: Fingerprint & { leaseMs: number },
): Promise<number | undefined> {
  const [row] = await db.query<{ fence: number }>(preparedSql("acquire_claim")`
    insert into claims (account_id, hash, arguments_hash, undated, state, fence, expires_at)
    values (
      ${accountId}, ${hash}, ${argumentsHash}, ${isUndated}, 'working', nextval('claim_fences'),
      now() + ${leaseMs} * interval '1 millisecond'
    )
    on conflict (account_id, hash) do update set
      arguments_hash = excluded.arguments_hash, undated = excluded.undated, state = 'working',
      fence = excluded.fence, expires_at = excluded.expires_at, result = null, item_ids = '{}',
      query_date = null
    where claims.expires_at <= now()
    returning fence`);
  return row?.fence;
}

/** Whether a call without a date holds this claim, or is recorded under it. */
export async function hasUndatedClaim(
  db: Queryable,
  accountId: string,
  hash: Buffer,
): Promise<boolean> {
  const rows = await db.query(preparedSql("has_undated_claim")`
    select 1 from claims
    where account_id = ${accountId} and hash = ${hash} and undated and expires_at > now()`);
  return rows.length > 0;
}

export async function findClaim(
  db: Queryable,
  accountId: string,
  hash: Buffer,
): Promise<ExistingClaim | undefined> {
  const [row] = await db.query<ExistingClaim>(preparedSql("find_claim")`
    select result, arguments_hash, expires_at <= now() as is_free
    from claims where account_id = ${accountId} and hash = ${hash}`);
  return row;
}

/** Keeps the claim until the transaction ends; false if another call has taken it over. */
export async function lockHeldClaim(
  tx: Transaction,
  { accountId, hash, fence }: HeldClaim,
): Promise<boolean> {
  const rows = await tx.query(preparedSql("lock_held_claim")`
    select 1 from claims
    where account_id = ${accountId} and hash = ${hash} and fence = ${fence} and state = 'working'
    for update`);
  return rows.length === 1;
}

/** Stores the result of a claim that the transaction has locked. */
export function completeClaim(
  tx: Transaction,
  { accountId, hash, fence }: HeldClaim,
  record: {
    result: string;
    itemIds: readonly string[];
    queryDate: string | null;
    keepMs: number;
  },
): void {
  tx.send(preparedSql("complete_claim")`
    update claims set
      state = 'done', result = ${record.result}, item_ids = ${record.itemIds}::uuid[],
      query_date = ${record.queryDate},
      expires_at = now() + ${record.keepMs} * interval '1 millisecond'
    where account_id = ${accountId} and hash = ${hash} and fence = ${fence}`);
}

/** Releases the claim unless it is complete or another call holds it. */
export async function deleteHeldClaim(
  tx: Transaction,
  { accountId, hash, fence }: HeldClaim,
): Promise<void> {
  await tx.query(preparedSql("delete_held_claim")`
    delete from claims
    where account_id = ${accountId} and hash = ${hash} and fence = ${fence} and state = 'working'`);
}

/**
 * Invalidates the idempotency records of earlier calls on these items, or on items of this day by words:
 * after a change, repeating such a call would have a different effect. Records of calls with an idempotency
 * key stay valid.
 */
export function endRecords(
  tx: Transaction,
  accountId: string,
  { itemIds, date }: { itemIds: readonly string[]; date: string },
): void {
  tx.send(preparedSql("end_records")`
    delete from claims
    where account_id = ${accountId} and state = 'done' and arguments_hash is null
      and (item_ids && ${itemIds}::uuid[] or query_date = ${date})`);
}

/** Deletes up to `limit` claims whose lease or record has ended. Returns the number deleted. */
export async function deleteExpiredClaims(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from claims where ctid = any (array(
      select ctid from claims where expires_at <= now()
      order by expires_at limit ${limit} for update skip locked
    ))
    returning 1`);
  return rows.length;
}
