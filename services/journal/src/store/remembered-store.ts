import type { NutrientAmounts } from "@nutrition/core/nutrients";
import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";
import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { RememberedItem } from "../domain/estimate.ts";

interface RememberedRow extends NutrientAmounts {
  description: string;
  water_milliliters: number;
}

const REMEMBERED_MAX = 50;
const SAME_WORDS_MAX = 4;

const CORRECTED = `
  select * from items where account_id = $1::uuid and corrected and deleted_at is null`;

// Both parts read only a few rows of an index, so that the cost does not grow with the number of
// corrections.
const remembered = prepared(
  "list_remembered_items",
  `
  select description, ${NUTRIENT_KEYS.join(", ")}, water_milliliters
  from (
    select distinct on (id) *
    from (
      select 0 as rank, i.*
      from unnest($2::text[]) line
      cross join lateral (
        ${CORRECTED} and lower(description) = line
        order by updated_at desc limit ${SAME_WORDS_MAX}
      ) i
      union all
      select 1 as rank, i.*
      from (${CORRECTED} order by updated_at desc limit ${REMEMBERED_MAX}) i
    ) found
    order by id, rank
  ) item
  order by rank, updated_at desc limit ${REMEMBERED_MAX}`,
);

/** Lists corrected items: those that share words with a line first, then the latest. */
export async function listRememberedItems(
  db: Queryable,
  accountId: string,
  lines: readonly string[],
): Promise<RememberedItem[]> {
  const folded = lines.map((line) => line.toLowerCase());
  const rows = await db.query<RememberedRow>(remembered(accountId, folded));
  return rows.map(({ description, water_milliliters, ...nutrients }) => ({
    text: description,
    nutrients,
    waterMilliliters: water_milliliters,
  }));
}
