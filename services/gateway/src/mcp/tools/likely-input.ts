/** Names that callers use by mistake, by input. */
const SYNONYMS: Readonly<Record<string, string>> = {
  food_text: "text food foods item items line lines entry entries name description title",
  replacement_text: "text new_text new food_text line name description value",
  merged_text: "text new_text food_text line name title description",
  detailed_description: "details detail notes note context comment description meal brand",
  correction: "reason comment note instruction",
  item_id: "id item uuid entry_id",
  item_ids: "ids items item_id uuids",
  item_query: "query search text name item description match",
  item_queries: "queries item_query query names items",
  date: "day when on start_date",
  start_date: "from since start after begin date",
  end_date: "to until end before through date",
  limit: "count days max number n size page_size entries",
  include_items: "items details full",
  idempotency_key: "key request_id retry_key",
};

const EDITS_MAX = 2;

/** The one of `names` that `given` probably means; undefined if none is similar. */
export function likelyInput(given: string, names: readonly string[]): string | undefined {
  const asked = given
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
  return (
    names.find((name) => name === asked) ??
    names.find((name) => distance(name, asked) <= EDITS_MAX) ??
    names.find((name) => SYNONYMS[name]?.split(" ").includes(asked)) ??
    names.find((name) => name.split("_").some((part) => asked.split("_").includes(part)))
  );
}

/** Edit distance in letters (Levenshtein); the names are short. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > EDITS_MAX) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, compared] of [...other].entries()) {
      const change = (row[column] as number) + (letter === compared ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
