import forms from "../../../foods/words/forms.json" with { type: "json" };
import occasions from "../../../foods/words/occasions.json" with { type: "json" };
import sayings from "../../../foods/words/sayings.json" with { type: "json" };
import times from "../../../foods/words/times.json" with { type: "json" };
import { compilePattern } from "./patterns.ts";
import { LISTS } from "./words.ts";

/** One expression for all patterns of a file; `<name>` in a pattern stands for the part of that name. */
function anyOf({ parts, patterns }: typeof sayings | typeof times): string {
  const named = (text: string, [name, part]: [string, string]) =>
    text.replaceAll(`<${name}>`, part);
  return Object.entries(parts).reduce(named, patterns.join("|"));
}

const TIMES = compilePattern(`(?:${times.parts.before})(?:${anyOf(times)})`, "giu");

/** Removes clock times, dates and durations, whose numbers are not amounts. */
export function withoutTimes(line: string): string {
  return line.replace(TIMES, " ");
}

/** Idioms with food that nobody ate: "it was a piece of cake". */
const SAYINGS = compilePattern(
  String.raw`(?<![\p{L}\p{N}])(?:${anyOf(sayings)})(?![\p{L}\p{N}])`,
  "giu",
);

/** Removes idioms that name food. */
export function withoutSayings(line: string): string {
  return line.replace(SAYINGS, ", ");
}

/** Abbreviations and spellings, with their usual forms. */
const SPELLED_OUT = forms.map(
  ({ pattern, replacement }) => [compilePattern(pattern, "gu"), replacement] as const,
);

/** Meat that is sold by its lean share. */
const MEAT = compilePattern(String.raw`\b(?:${[...LISTS.soldByLeanShare].join("|")})\b`, "u");
/** `80/20`, `80%`, `80% lean`, `20% fat`. */
const SHARE = /(?<![\d.,/])(\d{1,2}(?:\.\d)?)(?:\/(\d{1,2})\b(?!\/)| ?%(?:,? (fat|lean)\b)?)/gu;
/** Maximum fat content of milk and yogurt in percent; a higher one is that of meat. */
const DAIRY_FAT_MAX = 12;

/** Writes the fat contents of meat as the table does: `80/20`, `80%` and `20% fat` as `80% lean`. */
function withLeanShares(line: string): string {
  if (!MEAT.test(line)) return line;
  return line.replace(SHARE, (said: string, first: string, second?: string, kind?: string) => {
    const share = Number(first);
    const isPair = second !== undefined;
    if (isPair && (share < 50 || share + Number(second) !== 100)) return said;
    const isFat = kind === "fat" || (!isPair && kind !== "lean" && share <= DAIRY_FAT_MAX);
    return `${isFat ? 100 - share : share}% lean`;
  });
}

/** Lowercases a line and spells out abbreviations. */
export function spellOut(line: string): string {
  const kitchen = line.replace(/(?<=\d ?)T\b/g, " tbsp").replace(/(?<=\d ?)t\b/g, " tsp");
  const plain = withLeanShares(kitchen.toLowerCase());
  return SPELLED_OUT.reduce((text, [short, long]) => text.replace(short, long), plain);
}

/** Words for meals and times of day, with the occasion that each names. */
const OCCASIONS = occasions.map(
  ({ occasion, pattern }) => [compilePattern(pattern, "iu"), occasion] as const,
);

/** The meal or time of day that a line states; undefined if none. */
export function occasionIn(line: string): string | undefined {
  return OCCASIONS.find(([said]) => said.test(line))?.[1];
}

/** A minus sign directly before a digit where an amount is expected; "- 2 eggs" is a list item. */
const NEGATIVE = /(?:^|[,;(]|\b(?:with|and|plus))\s*[-\u2012-\u2015\u2212]\d/u;
const DIVIDED_BY_ZERO = /\d\s?\/\s?0+(?![\d.,])/u;

/** Whether the line states an impossible amount: "-2 apples", "1/0 apple". */
export function hasImpossibleAmount(line: string): boolean {
  return NEGATIVE.test(line) || DIVIDED_BY_ZERO.test(line);
}
