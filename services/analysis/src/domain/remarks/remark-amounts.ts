import { hasAmount } from "../composition/read-part.ts";
import type { LineReader } from "../line-reader.ts";
import type { Quantified } from "../segmentation/amount.ts";
import { withAmount } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";
import { findHouseholdUnit } from "../text/units.ts";
import { LISTS } from "../text/words.ts";
import numbers from "../../../foods/words/numbers.json" with { type: "json" };

/** Changes a line as a remark says; undefined if the remark does not fit the line. */
export type LineChange = (
  line: ParsedLine,
  said: string,
  reader: LineReader,
) => ParsedLine | undefined;

/** Minimum match score of a clear food name. */
export const NAMED_SCORE = 0.9;

/** Adds an amount that the line lacks: "2 eggs" for "eggs on toast", "150 g" for a banana. */
export const withAmountTold: LineChange = (line, said, reader) => {
  const { amount, name } = reader.quantify(said);
  const told = wordsOf(name);
  const open = line.parts.find(
    (part) => !hasAmount(part) && wordsOf(part.name).includes(told[0] ?? ""),
  );
  if (open && told.length === 1 && hasAmount({ amount })) return withAmount(line, open, amount);
  const [main] = line.parts;
  if (!main) return undefined;
  const own = main.amount;
  // "3 eggs" for an omelette.
  const [food] = reader.understand(line).foods;
  const [unit] = told.filter((word) => food?.match.food.portions.has(word));
  if (unit && told.length === 1 && amount.counted && !hasAmount(main)) {
    return withAmount(line, main, { ...amount, unit });
  }
  if (name.length === 0 && amount.size && !amount.unit && !amount.counted) {
    if (own.size !== undefined || own.measure !== undefined) return undefined;
    return withAmount(line, main, { ...own, size: amount.size });
  }
  if (own.measure || own.counted) return undefined;
  const portion = portionTold(said, { amount, name }, reader);
  return portion && withAmount(line, main, portion);
};

/** The amount in "2 scoops" or "a large bowl"; "30 g feta" is not an amount of the salad. */
function portionTold(said: string, { amount, name }: Quantified, reader: LineReader) {
  const [word = "", ...others] = wordsOf(name);
  const unit = others.length === 0 ? findHouseholdUnit(word) : undefined;
  const isCounted = amount.counted || amount.size !== undefined || !reader.isName(name);
  if (unit && isCounted && !amount.unit) return { ...amount, counted: true, unit };
  const isAmount = amount.counted || amount.measure !== undefined || amount.unit !== undefined;
  if (name.length === 0 || unit) return isAmount ? amount : undefined;
  const portion = namesOneFood(said, reader) ? undefined : findStatedPortion(said);
  return portion === undefined ? undefined : reader.quantify(portion).amount;
}

/** Whether a clause names exactly one food, unlike descriptions such as "200 g cooked". */
function namesOneFood(said: string, reader: LineReader): boolean {
  const { foods, unknown } = reader.read(said);
  const isNamed = wordsOf(reader.quantify(said).name).some((word) => !isDescription(word));
  const isClear = foods.every(({ match }) => match.score >= NAMED_SCORE);
  return foods.length === 1 && unknown.length === 0 && isNamed && isClear;
}

/** "It was two", "it was large": another count or size. */
export const withCount: LineChange = (line, said, reader) => {
  const { amount, name } = reader.quantify(said);
  const [part] = line.parts;
  if (name.length > 0 || !part || !hasAmount({ amount })) return undefined;
  const own = part.amount;
  const isWhole = amount.measure !== undefined || amount.unit !== undefined;
  if (isWhole || own.measure) return withAmount(line, part, amount);
  const size = amount.size ?? own.size;
  const counted = amount.counted ? amount : own;
  const { count } = counted;
  const meant = { ...own, count, counted: true, ...(size && { size }) };
  return withAmount(line, part, meant);
};

/** "It weighed about 300 g": the weight of the whole line. */
export const withPortion: LineChange = (line, said, reader) => {
  const portion = findStatedPortion(said);
  const [part] = line.parts;
  return part && portion ? withAmount(line, part, reader.quantify(portion).amount) : undefined;
};

const WEIGHT = /(?<![\d.,/])(\d{1,5}(?:[.,]\d{1,3})?) ?(kg|g|grams?|ml|cl|l|oz)\b/giu;
const NOT_A_PORTION = /^ ?(?:of )?(?:protein|carb|fat|sugar|fib|sodium|salt)/iu;

/**
 * The last weight or volume stated in a text, as written, except denied ones ("not 300 g") and
 * those of nutrients; undefined if there is none.
 */
export function findStatedPortion(text: string): string | undefined {
  const found = [...text.matchAll(WEIGHT)].filter((match) => {
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    const denied = /\b(?:not|instead of|rather than|than)\s*$/iu.test(before);
    return !denied && !NOT_A_PORTION.test(after) && !/^ ?\//u.test(after);
  });
  return found.at(-1)?.[0];
}

const SHARE = /^(?:\d{1,3} ?%|\d(?:\.\d)? ?(?:x|times))$/u;
const FACTORS: ReadonlyMap<string, number> = new Map(Object.entries(numbers.shares));

/**
 * Factor of a relative correction: 0.5 for "only half of that", 2 for "twice as much". Undefined
 * for anything else, such as "half an avocado".
 */
export function readRelativeAmount(correction: string): number | undefined {
  const words = correction
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/u, "")
    .split(/ +/u);
  const start = words.findIndex((word) => !LISTS.beforeShare.has(word));
  const end = words.findLastIndex((word) => !LISTS.afterShare.has(word)) + 1;
  if (start === -1 || end <= start) return undefined;
  const share = words.slice(start, end).join(" ");
  if (SHARE.test(share)) return Number.parseFloat(share) / (share.endsWith("%") ? 100 : 1);
  return FACTORS.get(share);
}
