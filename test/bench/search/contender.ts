import type { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

/** Creates one table of all foods, searched by one condition: words, or similar names. */
export async function prepareContender(database: Database): Promise<void> {
  const run = (text: string) => database.query({ text, values: [] });
  await run(`create table all_foods as
    select reference, name, words, lexemes from foods
    union all select reference, name, words, lexemes from branded_foods`);
  await run("create index on all_foods using gin (lexemes)");
  await run("create index on all_foods using gin (words gin_trgm_ops)");
  await run("vacuum (analyze) all_foods");
}

/** Searches that table. */
export async function searchContender(database: Database, text: string): Promise<void> {
  await database.query(sql`
    select name, (lexemes @@ plainto_tsquery('english', ${text}))::int
      + similarity(words, ${text}) + word_similarity(${text}, words) as score
    from all_foods
    where lexemes @@ plainto_tsquery('english', ${text})
      or words % ${text} or ${text} <% words
    order by score desc limit 10`);
}
