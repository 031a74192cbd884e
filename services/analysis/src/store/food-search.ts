import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { FoundFood } from "./stored-food.ts";
import { FIGURES } from "./stored-food.ts";

/** What is looked for in the names of the generic foods. */
export interface FoodQuery {
  /** Text query that a name must answer to. */
  readonly query: string;
  /** Every word that may be meant, for whether a food's head is asked for. */
  readonly asked: string;
  /** References of foods that people call by these words. */
  readonly references: readonly string[];
}

/** Candidates of one query; the process ranks them. */
const CANDIDATES_MAX = 60;

const FIND = prepared(
  "find_foods",
  `select wanted.at::int as at, found.*
   from unnest($1::text[], $2::text[], $3::text[]) with ordinality as wanted (query, asked, refs, at)
   cross join lateral (
     select
       to_tsquery('english', wanted.query) as query,
       tsvector_to_array(to_tsvector('english', wanted.asked)) as asked,
       string_to_array(wanted.refs, ' ') as refs
     offset 0
   ) as read
   cross join lateral (
     select ${FIGURES}, source, null as brand, null as gtin
     from foods
     where found_by @@ read.query or reference = any(read.refs)
     order by
       reference = any(read.refs) desc, head_lexemes <@ read.asked desc,
       lexemes @@ read.query desc, length(lexemes), reference
     limit $4::int
   ) as found`,
);

/** Generic foods that answer to each query, those first that are likely meant. */
export async function findFoods(
  database: Queryable,
  queries: readonly FoodQuery[],
): Promise<FoundFood[]> {
  return database.query<FoundFood>(
    FIND(
      queries.map(({ query }) => query),
      queries.map(({ asked }) => asked),
      queries.map(({ references }) => references.join(" ")),
      CANDIDATES_MAX,
    ),
  );
}

const RESEMBLING = prepared(
  "find_resembling_foods",
  `select 1 as at, ${FIGURES}, source, null as brand, null as gtin
   from foods
   where words % $1 or $1 <% words
   order by word_similarity($1, words) desc, length(words), reference
   limit $2::int`,
);

/** Generic foods whose names look like the words, most alike first. */
export async function findResemblingFoods(
  database: Queryable,
  words: string,
  limit: number,
): Promise<FoundFood[]> {
  return database.query<FoundFood>(RESEMBLING(words, limit));
}
