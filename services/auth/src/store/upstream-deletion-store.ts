import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { UpstreamDeletion } from "../domain/upstream-deletion.ts";
import type { Lease } from "./lease.ts";
import { retryTime } from "./lease.ts";

interface UpstreamDeletionRow {
  id: string;
  lease_id: string;
  account_id: string;
  client_id: string;
  sealed_session: Buffer | null;
  attempts: number;
}

function toUpstreamDeletion(row: UpstreamDeletionRow): UpstreamDeletion {
  return {
    id: row.id,
    leaseId: row.lease_id,
    accountId: row.account_id,
    clientId: row.client_id,
    sealedSession: row.sealed_session,
    attempts: row.attempts,
  };
}

/** How long a lease lasts. */
const LEASE_SECONDS = 60;
/** Time after which the provider has expired a sealed session. */
const SEALED_SESSION_SECONDS = 3_600;
const RETRY_TIME = retryTime(5, 600);

/** Schedules the provider's deletion of a grant that the same transaction revokes. */
export async function insertUpstreamDeletionTx(
  tx: Transaction,
  deletion: { id: string; accountId: string; clientId: string; sealedSession: Buffer | null },
): Promise<void> {
  await tx.query(sql`
    insert into upstream_deletions (id, account_id, client_id, sealed_session, due_at, created_at)
    values (
      ${deletion.id}, ${deletion.accountId}, ${deletion.clientId}, ${deletion.sealedSession},
      clock_timestamp(), clock_timestamp()
    )
  `);
}

/** Leases up to `max` deletions that are due and have a sealed session. Each goes to one caller. */
export async function takeUpstreamDeletions(
  db: Queryable,
  max: number,
): Promise<UpstreamDeletion[]> {
  const rows = await db.query<UpstreamDeletionRow>(sql`
    with due as materialized (
      select id from upstream_deletions
      where sealed_session is not null
        and created_at > clock_timestamp() - make_interval(secs => ${SEALED_SESSION_SECONDS})
        and due_at <= clock_timestamp()
      order by due_at
      limit ${max}
      for update skip locked
    )
    update upstream_deletions taken set
      lease_id = gen_random_uuid(),
      due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
      attempts = attempts + 1
    from due
    where taken.id = due.id
    returning taken.*
  `);
  return rows.map(toUpstreamDeletion);
}

/** Leases up to `max` deletions of the account that nobody has leased, due or not. */
export async function takeUpstreamDeletionsOf(
  db: Queryable,
  accountId: string,
  max: number,
): Promise<UpstreamDeletion[]> {
  const rows = await db.query<UpstreamDeletionRow>(sql`
    with waiting as materialized (
      select id from upstream_deletions
      where account_id = ${accountId} and (lease_id is null or due_at <= clock_timestamp())
      order by created_at
      limit ${max}
      for update skip locked
    )
    update upstream_deletions taken set
      lease_id = gen_random_uuid(),
      due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
      attempts = attempts + 1
    from waiting
    where taken.id = waiting.id
    returning taken.*
  `);
  return rows.map(toUpstreamDeletion);
}

/** Completes a deletion. Returns whether the lease was still held. */
export async function deleteLeasedDeletion(
  db: Queryable,
  { id, leaseId }: Lease,
): Promise<boolean> {
  const rows = await db.query(sql`
    delete from upstream_deletions where id = ${id} and lease_id = ${leaseId} returning id
  `);
  return rows.length > 0;
}

/**
 * Releases a lease: the deletion is retried after 5 seconds, doubled with each attempt up to 10
 * minutes and shortened by up to half at random, or when the person signs in. Returns whether the
 * lease was still held.
 */
export async function releaseLeasedDeletion(
  db: Queryable,
  { id, leaseId }: Lease,
  outcome: "retry" | "needs_sign_in",
): Promise<boolean> {
  const rows = await db.query(sql`
    update upstream_deletions set
      lease_id = null,
      sealed_session = case when ${outcome === "retry"} then sealed_session end,
      due_at = ${RETRY_TIME}
    where id = ${id} and lease_id = ${leaseId}
    returning id
  `);
  return rows.length > 0;
}

/** Cancels the deletion of a client's connection unless it is leased. */
export async function deleteIdleDeletionTx(
  tx: Transaction,
  accountId: string,
  clientId: string,
): Promise<void> {
  await tx.query(sql`
    delete from upstream_deletions
    where account_id = ${accountId} and client_id = ${clientId}
      and (lease_id is null or due_at <= clock_timestamp())
  `);
}

/** Milliseconds until the lease of a client's deletion ends; undefined when there is none. */
export async function findDeletionLeaseMs(
  db: Queryable,
  accountId: string,
  clientId: string,
): Promise<number | undefined> {
  const rows = await db.query<{ ms: number }>(sql`
    select extract(epoch from due_at - clock_timestamp())::double precision * 1000 as ms
    from upstream_deletions
    where account_id = ${accountId} and client_id = ${clientId}
  `);
  return rows[0]?.ms;
}

/** Deletes expired sealed sessions. */
export async function eraseOldSealedSessions(db: Queryable): Promise<void> {
  await db.query(sql`
    update upstream_deletions set sealed_session = null
    where sealed_session is not null
      and created_at <= now() - make_interval(secs => ${SEALED_SESSION_SECONDS})
  `);
}
