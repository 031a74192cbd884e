import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Words of names of foods by how many have them, and those that are a name or a part of one between commas. */
export function readWordsOfFoods(): [counts: Map<string, number>, whole: Set<string>] {
  const table = gunzipSync(readFileSync(new URL("../usda/foods.tsv.gz", import.meta.url)));
  const [, ...foods] = table.toString().trimEnd().split("\n");
  const [counts, whole] = [new Map<string, number>(), new Set<string>()];
  for (const food of foods) {
    const names = food.split("\t").slice(1, 3).join(", ").toLowerCase();
    for (const part of names.split(", ")) whole.add(part);
    for (const word of new Set(names.match(/[a-z]+/gu))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [counts, whole];
}
