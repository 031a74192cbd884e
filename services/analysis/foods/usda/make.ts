import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

/**
 * Makes `foods.tsv.gz` of USDA's tables: `node services/analysis/foods/usda/make.ts FNDDS SR28`, each
 * a file with one food as JSON a line. Both tables are works of the US government in the public domain.
 */

interface Row {
  id: string;
  name: string;
  also?: string | null;
  common?: string | null;
  per100g: Partial<Record<string, number | null>>;
  portions: { desc?: string; amount?: number; unit?: string; grams: number }[];
}

const FIGURES = ["calories", "protein", "carbs", "fat", "sugar", "fiber", "sodium", "alcohol"];
const HEAD = ["reference", "name", "aliases", ...FIGURES, "portions"];
/** Portions that the survey uses for its own reckoning. */
const GUIDELINE = /^guideline amount|^1 (?:cubic|surface) inch/iu;

const rows = process.argv.slice(2).flatMap(readRows).map(cellsOf);
const text = [HEAD, ...rows].map((cells) => cells.join("\t")).join("\n");
writeFileSync(new URL("foods.tsv.gz", import.meta.url), gzipSync(`${text}\n`, { level: 9 }));

function readRows(file: string): Row[] {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

function cellsOf({ id, name, also, common, per100g, portions }: Row): string[] {
  const figures = FIGURES.map((key) => String(per100g[key] ?? ""));
  const kept = portions.filter(({ desc = "" }) => !GUIDELINE.test(desc));
  const measures = kept.map(
    ({ amount = 1, grams, ...named }) => `${nameOf(named)}=${Number((grams / amount).toFixed(2))}`,
  );
  return [id, plain(name), plain(also ?? common ?? ""), ...figures, measures.join("|")];
}

/** Name of a portion: "1 cup" is a cup. */
function nameOf({ desc, unit = "" }: { desc?: string; unit?: string }): string {
  const name = desc?.replace(/^1 /u, "").replace(/^quantity not specified$/iu, "serving") ?? unit;
  return plain(name).replace(/[|=]/gu, " ");
}

function plain(cell: string): string {
  return cell.replace(/[\t\n]/gu, " ").trim();
}
