import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { StoredFood } from "./stored-food.ts";
import { FIGURES } from "./stored-food.ts";

/** What a search of the generic foods looks for. */
export interface FoodQuery {
  /** Text query that a name must answer to. */
  query: string;
  /** The words, for how alike a name is. */
  words: string;
  /** Text query of words that lower a name, as nobody asked for them. */
  unwanted: string;
  /** Every word that may be meant, for whether a food's head is asked for. */
  asked: string;
  /** Regular expression of what denies one of the words, such as "no sugar". */
  denied: string;
  /** References of foods that people call by these words. */
  references: readonly string[];
}

/** A stored food and how well it answers to query number `at`. */
export interface RankedFood extends StoredFood {
  at: number;
  score: number;
}

// The score was tuned on queries of an app's users: what a food is stands before the first comma of
// its name and counts most; plain foods come before those that are dried, canned or low in something.
// What costs more is done only with the best by what costs less.
const FIND = prepared(
  "find_foods",
  `select wanted.at::int as at, best.score, ${FIGURES}, best.source, null as brand, null as gtin
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
     with ordinality as wanted (query, words, unwanted, asked, refs, denied, at)
   cross join lateral (
     select
       to_tsquery('english', wanted.query) as query,
       to_tsquery('english', wanted.unwanted) as unwanted,
       to_tsquery('english', $7) as plain,
       tsvector_to_array(to_tsvector('english', wanted.asked)) as asked,
       string_to_array(wanted.refs, ' ') as refs
     offset 0
   ) as read
   cross join lateral (
     select near.*, near.features
       + 0.5 * similarity(near.words, wanted.words)
       + 0.5 * word_similarity(wanted.words, near.words)
       - 0.3 * (near.words ~ wanted.denied)::int as score
     from (
       select first.*, first.stands
         + 0.2 * (first.lexemes @@ read.plain)::int
         - 0.4 * (first.lexemes @@ read.unwanted)::int as features
       from (
         select f.*,
           0.3 * (f.found_by @@ read.query)::int
           + 0.5 * (f.lexemes @@ read.query)::int
           + 0.7 * (f.head_lexemes <@ read.asked)::int
           + 0.4 * (f.reference = any(read.refs))::int
           + 0.05 * (f.source = 'survey')::int
           - 0.05 * least(length(f.lexemes), 12) as stands
         from foods f
         where f.found_by @@ read.query or f.reference = any(read.refs)
         order by stands desc, f.reference
         limit 250
       ) as first
       order by features desc, first.reference
       limit 60
     ) as near
     order by score desc, near.reference
     limit $8::int
   ) as best
   order by wanted.at, best.score desc, best.reference`,
);

/** Forms that are meant when nothing is said: raw, cooked, not further specified. */
const PLAIN = "raw | nfs | ns | cooked | fresh";

/** Generic foods that answer to each query, best first: at most `limit` of each. */
export async function findFoods(
  database: Queryable,
  queries: readonly FoodQuery[],
  limit: number,
): Promise<RankedFood[]> {
  return database.query<RankedFood>(
    FIND(
      queries.map(({ query }) => query),
      queries.map(({ words }) => words),
      queries.map(({ unwanted }) => unwanted),
      queries.map(({ asked }) => asked),
      queries.map(({ references }) => references.join(" ")),
      queries.map(({ denied }) => denied),
      PLAIN,
      limit,
    ),
  );
}

const RESEMBLING = prepared(
  "find_resembling_foods",
  `select 1 as at, word_similarity($1, words)::float8 as score, ${FIGURES}, source, null as brand, null as gtin
   from foods
   where words % $1 or $1 <% words
   order by score desc, length(words), reference
   limit $2::int`,
);

/** Generic foods whose names look like the words, most alike first. */
export async function findResemblingFoods(
  database: Queryable,
  words: string,
  limit: number,
): Promise<RankedFood[]> {
  return database.query<RankedFood>(RESEMBLING(words, limit));
}
