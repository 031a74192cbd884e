import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { LikeWord } from "../domain/matching/suggestion.ts";

const LIKE = prepared(
  "find_like_words",
  `select wanted.word, near.word as "like", used.foods
   from unnest($1::text[]) as wanted (word)
   cross join lateral (
     select w.word
     from food_words w
     where w.word % wanted.word and left(w.word, 1) = left(wanted.word, 1)
     order by similarity(w.word, wanted.word) desc, w.word
     limit 12
   ) as near
   cross join lateral (select plainto_tsquery('english', near.word) as query offset 0) as read
   cross join lateral (
     select count(*)::int as foods from foods f where f.found_by @@ read.query
   ) as used
   where not exists (select from food_words w where w.word = wanted.word)`,
);

/** For each given word that no generic food has: similar words that some have. */
export async function findLikeWords(
  database: Queryable,
  words: readonly string[],
): Promise<LikeWord[]> {
  return database.query<LikeWord>(LIKE(words));
}
