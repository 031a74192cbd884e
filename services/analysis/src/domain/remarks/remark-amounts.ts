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
  const portion = portionTold({ amount, name }, reader);
  return portion && withAmount(line, main, portion);
};

/** The amount in "2 scoops" or "a large bowl"; "30 g feta" is not an amount of the salad. */
function portionTold({ amount, name }: Quantified, reader: LineReader) {
  const [word = "", ...others] = wordsOf(name);
  const unit = others.length === 0 ? findHouseholdUnit(word) : undefined;
  const isCounted = amount.counted || amount.size !== undefined || !reader.isName(name);
  if (unit && isCounted && !amount.unit) return { ...amount, counted: true, unit };
  const isAmount = amount.counted || amount.measure !== undefined || amount.unit !== undefined;
  const isAlone = unit !== undefined || wordsOf(name).every(isDescription);
  return isAlone && isAmount ? amount : undefined;
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
