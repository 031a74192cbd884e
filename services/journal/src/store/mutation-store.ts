import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

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
  const { actor } = mutation;
  await db.query(sql`
    insert into mutations (
      id, account_id, tool, origin, credential_kind, credential_id, entry_id, date, item_ids,
      before, after, reservation_id, duplicate, request_id, created_at
    )
    values (
      ${mutation.id}, ${actor.accountId}, ${mutation.tool}, ${actor.origin},
      ${actor.credential?.kind}, ${actor.credential?.id}, ${mutation.entryId}, ${mutation.date},
      ${mutation.itemIds}::uuid[], ${mutation.before}, ${mutation.after},
      ${mutation.reservationId}, ${mutation.duplicate}, ${actor.requestId}, ${mutation.now}
    )`);
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
