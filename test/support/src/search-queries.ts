import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { BRANDS_COUNT, brandName } from "./branded-labels.ts";

/** A search, with a pattern for the name of its first result. */
export interface Query {
  text: string;
  answer: RegExp;
}

/** Reads queries, one per line: the text, a tab, the pattern. Empty if the file does not exist. */
export function readQueries(path: string): Query[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [text = "", answer = ""] = line.split("\t");
    return { text, answer: new RegExp(answer, "iu") };
  });
}

/** Everyday searches with their answers in USDA's tables, written for this project. */
export const OWN_QUERIES = join(import.meta.dirname, "../../bench/search/queries.tsv");

const WAYS: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => `a bowl of ${text}`,
  (text) => ` ${text.replaceAll(" ", "  ")}!`,
  misspelt,
];

/** Variants of the same searches, every fourth with two swapped letters. */
export function variationsOf(queries: readonly Query[]): Query[] {
  return queries.map(({ text, answer }, at) => ({ text: WAYS[at % WAYS.length]!(text), answer }));
}

function misspelt(text: string): string {
  const longest = text.split(" ").sort((one, other) => other.length - one.length)[0] ?? "";
  if (longest.length < 6) return text;
  const swapped = `${longest.slice(0, 3)}${longest[4]}${longest[3]}${longest.slice(5)}`;
  return text.replace(longest, swapped);
}

const PRODUCTS = [
  "greek yogurt",
  "potato chips",
  "cheddar cheese",
  "peanut butter",
  "granola bars",
];

/** Searches with a brand of the made-up labels. */
export function brandQueries(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const brand = brandName((at * 37) % BRANDS_COUNT).toLowerCase();
    return `${brand} ${PRODUCTS[at % PRODUCTS.length]}`;
  });
}
