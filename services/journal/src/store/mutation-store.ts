import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql, preparedSql } from "@nutrition/postgres/sql";
import type { Statement } from "@nutrition/postgres/sql";

import type { Actor } from "../domain/actor.ts";

/** The audit record of one write. */
export interface NewMutation {
  id: string;
  actor: Actor;
  tool: string;
  entryId: string;
  date: string;
  itemIds: readonly string[];
  /** Array of FoodItem as JSON text. */
  before: string;
  /** Array of FoodItem as JSON text. */
  after: string;
  reservationId: string | null;
  duplicate: boolean;
  now: Date;
}

export async function insertMutation(db: Queryable, mutation: NewMutation): Promise<void> {
  await db.query(insertion(mutation));
}

/** Inserts the record without waiting: if that fails, so does the commit. */
export function sendMutation(tx: Transaction, mutation: NewMutation): void {
  tx.send(insertion(mutation));
}

function insertion(mutation: NewMutation): Statement {
  const { actor } = mutation;
  return preparedSql("insert_mutation")`
    insert into mutations (
      id, account_id, tool, origin, credential_kind, credential_id, entry_id, date, item_ids,
      before, after, reservation_id, duplicate, request_id, created_at
    )
    values (
      ${mutation.id}, ${actor.accountId}, ${mutation.tool}, ${actor.origin},
      ${actor.credential?.kind}, ${actor.credential?.id}, ${mutation.entryId}, ${mutation.date},
      ${mutation.itemIds}::uuid[], ${mutation.before}, ${mutation.after},
      ${mutation.reservationId}, ${mutation.duplicate}, ${actor.requestId}, ${mutation.now}
    )`;
}

export interface MutationRow {
  id: string;
  tool: string;
  origin: Actor["origin"];
  credential_id: string | null;
  entry_id: string;
  date: string;
  item_ids: string[];
  before: string;
  after: string;
  duplicate: boolean;
  request_id: string;
  created_at: Date;
}

/** Lists audit records, newest first; with `beforeId`, only older ones. */
export async function listMutations(
  db: Queryable,
  accountId: string,
  page: { date: string | null; beforeId: string | null; limit: number },
): Promise<MutationRow[]> {
  return db.query<MutationRow>(sql`
    select id, tool, origin, credential_id, entry_id, date, item_ids, before::text, after::text,
      duplicate, request_id, created_at
    from mutations
    where account_id = ${accountId}
      and id < coalesce(${page.beforeId}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      and (${page.date}::date is null or date = ${page.date}::date)
    order by id desc
    limit ${page.limit}`);
}

/**
 * Deletes up to `limit` audit records that are older than `seconds`, oldest first. Returns the number
 * deleted. Ids begin with their creation time (UUIDv7), so the primary key finds them.
 */
export async function deleteOldMutations(
  db: Queryable,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<number> {
  const rows = await db.query(sql`
    with oldest_kept as materialized (
      select now() - ${seconds} * interval '1 second' as moment
    ), first_id as materialized (
      select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0')
        || repeat('0', 20))::uuid as id
      from oldest_kept
    )
    delete from mutations where id = any (array(
      select id from mutations
      where id < (select id from first_id) and created_at < (select moment from oldest_kept)
      order by id limit ${limit} for update skip locked
    ))
    returning 1`);
  return rows.length;
}
