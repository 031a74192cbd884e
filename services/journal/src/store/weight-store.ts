import { civilDateIn } from "@nutrition/core/civil-date";
import { Failure } from "@nutrition/core/failure";
import { violatedConstraint } from "@nutrition/postgres/database";
import type { Queryable } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { Weight } from "../domain/weight.ts";
import { CREATED_AND_UPDATED, RECORDED_AT, jsonArray, jsonObject } from "./documents.ts";
import { getWriterSettings } from "./settings-store.ts";

const weightList = prepared(
  "list_weights",
  `
  select ${jsonObject({ entries: jsonArray("row_to_json(w)::text"), limit: "$2::int::text" })} as json,
    coalesce((select weight_unit from settings where account_id = $1::uuid), 'kg') as "weightUnit"
  from (
    select id, trim_scale(weight_kg) as weight_kg, ${RECORDED_AT}, recorded_date, source, notes,
      ${CREATED_AND_UPDATED}
    from weights where account_id = $1::uuid
    order by weights.recorded_at desc, weights.created_at desc, weights.id desc limit $2::int
  ) w`,
);

/** A document of weights. */
export interface StoredWeights {
  readonly json: string;
  /** The person's display unit; figures in the document are kilograms. */
  readonly weightUnit: string;
}

/** WeightHistoryResponse: the newest weights, newest first. */
export async function listWeights(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<StoredWeights> {
  const [row] = await db.query<StoredWeights>(weightList(accountId, limit));
  return row as StoredWeights;
}

const storedWeights = prepared(
  "find_weights",
  `
  select exists (
    select from weights
    where account_id = $1::uuid
      -- Any time zone's day is within these moments, by which weights are indexed.
      and recorded_at >= (wanted.day - 1)::timestamp at time zone 'UTC'
      and recorded_at < (wanted.day + 2)::timestamp at time zone 'UTC'
      and recorded_date = wanted.day and weight_kg = round(wanted.kg, 2)
  ) as stored
  from unnest($2::date[], $3::numeric[]) with ordinality as wanted (day, kg, position)
  order by wanted.position`,
);

/** For each weight, whether the account has it on its day. */
export async function findWeights(
  db: Queryable,
  accountId: string,
  weights: readonly { date: string; weightKg: number }[],
): Promise<boolean[]> {
  const days = weights.map(({ date }) => date);
  const kilograms = weights.map(({ weightKg }) => weightKg);
  const rows = await db.query<{ stored: boolean }>(storedWeights(accountId, days, kilograms));
  return rows.map(({ stored }) => stored);
}

/** Constraint on the number of weights of an account. */
const BOUND = "weights_per_account";

/**
 * Inserts the weight, or replaces the account's weight with the same id. Throws
 * `failed_precondition` when the account has the maximum number of weights.
 */
export async function putWeight(
  db: Queryable,
  accountId: string,
  { weight, now }: { weight: Weight; now: Date },
): Promise<void> {
  const { id, weightKg, recordedAt, source, notes } = weight;
  const { timezone } = await getWriterSettings(db, accountId, now);
  const put = db.query(sql`
    insert into weights (
      account_id, id, weight_kg, recorded_at, recorded_date, source, notes, created_at, updated_at
    )
    values (
      ${accountId}, ${id}, ${weightKg}, ${recordedAt}::timestamptz,
      ${civilDateIn(timezone, recordedAt)}, ${source}, ${notes}, ${now}, ${now}
    )
    on conflict (account_id, id) do update set
      weight_kg = excluded.weight_kg, recorded_at = excluded.recorded_at,
      recorded_date = excluded.recorded_date, source = excluded.source, notes = excluded.notes,
      updated_at = excluded.updated_at`);
  await put.catch((error: unknown) => {
    if (violatedConstraint(error) !== BOUND) throw error;
    const message = "The account has the maximum of 20,000 weights; delete one first.";
    throw new Failure("failed_precondition", "TOO_MANY_WEIGHTS", message, { cause: error });
  });
}

/** Deletes the weight; deleting a missing one is not an error. */
export async function deleteWeight(
  db: Queryable,
  accountId: string,
  weightId: string,
): Promise<void> {
  await db.query(sql`delete from weights where account_id = ${accountId} and id = ${weightId}`);
}
