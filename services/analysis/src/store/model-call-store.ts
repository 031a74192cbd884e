import { newId } from "@nutrition/core/ids";
import type { Database, Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** A call to a language model that is about to start. */
export interface NewModelCall {
  model: string;
  /** Number of lines in its question. */
  lines: number;
  /** Its maximum cost, in millionths of a US dollar. */
  costMicros: number;
  /** Maximum cost of a UTC day, in the same unit. */
  dailyMaxMicros: number;
}

/** An arbitrary number, the same in all instances. */
const SPENDING_LOCK = 4_021_977;

/**
 * Records a call at its maximum cost; undefined if the day's total would exceed its maximum. A lock
 * ensures that all instances together stay below it.
 */
export async function startModelCall(
  database: Database,
  { model, lines, costMicros, dailyMaxMicros }: NewModelCall,
): Promise<{ id: string } | undefined> {
  return database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${SPENDING_LOCK})`);
    const rows = await tx.query<{ id: string }>(sql`
      insert into model_calls (id, model, lines, cost_micros)
      select ${newId()}, ${model}, ${lines}, ${costMicros}
      where ${costMicros}::bigint + (
        select coalesce(sum(cost_micros), 0) from model_calls
        where started_at >= date_trunc('day', now(), 'UTC')
      ) <= ${dailyMaxMicros}
      returning id`);
    return rows[0];
  });
}

/** Cost of the calls of the current UTC day, in millionths of a US dollar. */
export async function readSpentToday(database: Queryable): Promise<number> {
  const [row] = await database.query<{ spent: number }>(sql`
    select coalesce(sum(cost_micros), 0)::float8 as spent from model_calls
    where started_at >= date_trunc('day', now(), 'UTC')`);
  return row?.spent ?? 0;
}

/** Records the outcome of a call. If `used` is undefined, the maximum cost stays recorded. */
export async function finishModelCall(
  database: Queryable,
  id: string,
  outcome: string,
  used: { inputTokens: number; outputTokens: number; costMicros: number } | undefined,
): Promise<void> {
  await database.query(sql`
    update model_calls set outcome = ${outcome}, finished_at = clock_timestamp(),
      input_tokens = ${used?.inputTokens ?? null}, output_tokens = ${used?.outputTokens ?? null},
      cost_micros = coalesce(${used?.costMicros ?? null}, cost_micros)
    where id = ${id}`);
}

/** A year, plus time to check the provider's bill. */
const KEPT_DAYS = 400;
const DELETED_AT_ONCE = 1_000;

/** Deletes old calls, in batches, so that no statement runs long. Instances may run it concurrently. */
export async function deleteOldModelCalls(database: Queryable): Promise<void> {
  const batch = sql`
    delete from model_calls where id = any (array(
      select id from model_calls where started_at < now() - make_interval(days => ${KEPT_DAYS}::int)
      order by started_at limit ${DELETED_AT_ONCE} for update skip locked
    ))
    returning 1`;
  while ((await database.query(batch)).length === DELETED_AT_ONCE);
}
