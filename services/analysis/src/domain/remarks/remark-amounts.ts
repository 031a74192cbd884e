import numbers from "../../../foods/words/numbers.json" with { type: "json" };
import type { LineReader, LineReading } from "../line-reader.ts";
import type { Amount } from "../segmentation/amount.ts";
import { hasAmount, withAmount } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/vocabulary.ts";
import { wordsOf } from "../text/tokens.ts";
import { findHouseholdUnit } from "../text/quantities.ts";
import { LISTS, words, PHRASES } from "../text/words.ts";

/** Changes a line as a remark says; undefined if the remark does not fit the line. */
export type LineChange = (
  line: ParsedLine,
  said: string,
  reader: LineReader,
) => ParsedLine | undefined;

/** Minimum match score of a clear food name. */
export const NAMED_SCORE = 0.9;
const NUTRIENTS = words("protein carb carbohydrate fat sugar fiber fibre sodium salt");

/** Adds an amount that the line lacks: "2 eggs" for "eggs on toast", "150 g" for a banana. */
export const withAmountTold: LineChange = (line, said, reader) => {
  const { amount, name } = reader.quantify(said);
  const told = wordsOf(name);
  const open = line.parts.find(
    (part) => !hasAmount(part) && wordsOf(part.name).includes(told[0] ?? ""),
  );
  if (open && told.length === 1 && hasAmount({ amount })) return withAmount(line, open, amount);
  const own = line.parts[0]?.amount;
  const portion = portionIn(line, said, reader);
  const isSize = portion?.size !== undefined && !portion.unit && !portion.counted;
  const isOpen = isSize ? !own?.size : !own?.counted;
  return isOpen && !own?.measure ? withPortion(line, portion) : undefined;
};

/** "It was two", "it was large", "it weighed 300 g": another amount. */
export const withOtherAmount: LineChange = (line, said, reader) =>
  withPortion(line, portionIn(line, said, reader));

/** A count or a size alone changes only that: of two slices it makes three. */
function withPortion(line: ParsedLine, told: Amount | undefined): ParsedLine | undefined {
  const [part] = line.parts;
  if (!part || !told) return undefined;
  const own = part.amount;
  if (told.measure || told.unit || own.measure) return withAmount(line, part, told);
  const { count } = told.counted ? told : own;
  const size = told.size ?? own.size;
  return withAmount(line, part, { ...own, count, counted: true, ...(size && { size }) });
}

/**
 * The amount in "2 scoops", "a large bowl", "200 g cooked", or "3 eggs" for an omelette. "30 g feta" and "20 g of
 * protein" are no amounts of the line.
 */
function portionIn(line: ParsedLine, said: string, reader: LineReader): Amount | undefined {
  const { amount, name } = reader.quantify(said);
  const [word = "", ...others] = wordsOf(name);
  if (word === "") return hasAmount({ amount }) ? amount : undefined;
  if (others.length === 0 && !amount.unit) {
    const [food] = reader.understand(line).foods;
    const own = amount.counted && food?.match.food.portions.has(word) ? word : undefined;
    const isMeant = hasAmount({ amount }) || !reader.isName(name);
    const unit = isMeant ? (findHouseholdUnit(word) ?? own) : undefined;
    if (unit) return { ...amount, counted: true, unit };
  }
  const isOther = NUTRIENTS.has(word) || namesOneFood(said, reader);
  return amount.measure && !isOther ? amount : undefined;
}

/** Whether a clause names exactly one food, unlike descriptions such as "200 g cooked". */
function namesOneFood(said: string, reader: LineReader): boolean {
  const found = onlyFoodOf(reader.read(said));
  const isNamed = wordsOf(reader.quantify(said).name).some((word) => !isDescription(word));
  return isNamed && found !== undefined && found.match.score >= NAMED_SCORE;
}

/** The food of a reading that has no other, known or unknown. */
export function onlyFoodOf({ foods, unknown }: LineReading) {
  const [found, ...others] = foods;
  return others.length === 0 && unknown.length === 0 ? found : undefined;
}

const FACTORS: ReadonlyMap<string, number> = new Map(Object.entries(numbers.shares));

/**
 * Factor of a relative correction: 0.5 for "only half of that", 2 for "twice as much". Undefined
 * for anything else, such as "half an avocado".
 */
export function readRelativeAmount(correction: string): number | undefined {
  const said = correction
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/u, "")
    .split(/ +/u);
  const isEmpty = (word: string) => LISTS.beforeShare.has(word) || LISTS.afterShare.has(word);
  const share = said.filter((word) => !isEmpty(word)).join(" ");
  if (PHRASES.share.test(share)) return Number.parseFloat(share) / (share.endsWith("%") ? 100 : 1);
  return FACTORS.get(share);
}
