import type { LineReader, LineReading } from "../line-reader.ts";
import { type Amount, hasAmount } from "../segmentation/amount.ts";
import { withAmount, indexOfPhrase, withName, withParts } from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/vocabulary.ts";
import { isWord, type Tokens, wordsOf } from "../text/tokens.ts";
import { findHouseholdUnit } from "../text/quantities.ts";
import { words, AND, WITH } from "../text/words.ts";
import { isNamedBy } from "./line-remarks.ts";

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
 * protein" say nothing about the amount of the line.
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

/** Minimum score of another kind of the food: its usual name with one more significant word. */
const KIND_SCORE = 0.84;

/** "Oats cooked in water" for oatmeal restates the food, with its amount and what goes with it. */
export const withRestated: LineChange = (line, said, reader) => {
  const told = reader.parse(said);
  const [again, ...rest] = told.parts;
  const at = reader.understand(line).foods.findIndex(({ match }) => isNamedBy(match.food, again));
  const part = line.parts[at];
  if (!again || !part || reader.understand(told).unknown.length > 0) return undefined;
  const amounts = !hasAmount(part) && hasAmount(again);
  const own = amounts ? withAmount(line, part, again.amount) : line;
  return withParts(own, { ...told, parts: rest });
};

/** Adds something eaten with the line, or the fat that it was cooked in. */
export const withAddition: LineChange = (line, said, reader) => {
  const told = reader.parse(said);
  const next = withParts(line, told);
  const [before, after] = [reader.understand(line), reader.understand(next)];
  const isRead = after.unknown.length <= before.unknown.length && !after.mainUnknown;
  const isChanged = after.foods.some(({ match, weight }, at) => {
    const own = before.foods[at];
    return own?.match.food.name !== match.food.name || own.weight.grams !== weight.grams;
  });
  // The figures of fried food include the fat.
  return isRead && (isChanged || told.parts[0]?.isMedium) ? next : undefined;
};

/** Another kind of the line's one food: "oat milk", "wholemeal", "fried", "Heinz". */
export const withKind: LineChange = (line, said, reader) => {
  const [part, ...others] = line.parts;
  const { amount, name: kind } = reader.quantify(said);
  const isAmount = amount.counted || amount.measure !== undefined;
  if (!part || others.length > 0 || (isAmount && !isBare(line, said, reader))) return undefined;
  const told = hasAmount({ amount }) && !hasAmount(part) ? amount : part.amount;
  // "Caesar salad" repeats a "salad" more precisely.
  const isAgain = wordsOf(part.name).every((word) => wordsOf(kind).includes(word));
  const names = [...(isAgain ? [kind] : []), [...kind, ...part.name], [...part.name, ...kind]];
  const meant = names.map((name) => withName(line, part, name, told));
  return meant.find((next) => isOneClearFood(reader.understand(next), [...kind, ...part.name]));
};

/** Whether "2 scoops vanilla" is the amount of the line, and neither a food nor part of a drink. */
function isBare(line: ParsedLine, said: string, reader: LineReader): boolean {
  const [main] = reader.understand(line).foods;
  const isOpen = main?.match.food.kind === "food" && !line.parts.some(hasAmount);
  return isOpen && onlyFoodOf(reader.read(said))?.match.score !== 1;
}

/** Whether a reading is one clear food whose name has the words: cheese on toast is no eggs on toast. */
function isOneClearFood(reading: LineReading, said: Tokens): boolean {
  const match = onlyFoodOf(reading)?.match;
  if (!match || match.score < KIND_SCORE) return false;
  return wordsOf(said).every((word) => isDescription(word) || !match.unmatched.includes(word));
}

/** "2 sugars" for a coffee, "30 g feta" for a salad, "butter" for toast: obviously additions. */
export const withUnaskedAddition: LineChange = (line, said, reader) => {
  const { foods, unknown } = reader.read(said);
  const main = reader.understand(line).foods[0]?.match.food;
  if (!main || foods.length === 0 || unknown.length > 0) return undefined;
  const isDrink = main.kind !== "food";
  const takesAny = isDrink || main.group === "bakery";
  const isAdded = foods.every(({ match: { food, score }, amount }) => {
    const isMeasured = amount.counted || amount.measure !== undefined;
    const goesOn = food.portions.has(isDrink ? "splash" : "topping");
    const isExtra = goesOn && (takesAny || food.group === "fats-sauces");
    return score >= NAMED_SCORE && (isMeasured || isExtra);
  });
  return isAdded ? withAddition(line, said, reader) : undefined;
};

/** The one food that the correction clearly names, by default in the line's amount. */
export const withOtherFood: LineChange = (line, said, reader) => {
  const found = onlyFoodOf(reader.read(said));
  const [part, ...others] = line.parts;
  const [other] = reader.parse(said).parts;
  if (!found || found.match.score < NAMED_SCORE || !other) return undefined;
  if (!part || others.length > 0) return undefined;
  if (hasAmount(found)) return reader.parse(said);
  // "It was beef" for a chicken curry makes it a beef curry.
  const filled = withName(line, part, [...other.name, ...part.name.slice(-1)]);
  const dish = onlyFoodOf(reader.understand(filled))?.match;
  const isDish = dish && dish.food !== found.match.food && dish.unmatched.length === 0;
  const isFilled = part.name.length > 1 && isDish && dish.score >= NAMED_SCORE;
  return isFilled ? filled : withName(line, part, other.name);
};

/** "Without the butter": removes a part, or words of a name such as "tea with milk". */
export const withNegation: LineChange = (line, said, reader) => {
  const missing = reader.tokensOf(said);
  for (const part of line.parts) {
    const at = indexOfPhrase(part.name, missing);
    if (at > 1 && isWord(part.name[at - 1], WITH, AND)) {
      return withName(line, part, part.name.toSpliced(at - 1, missing.length + 1));
    }
  }
  const leftOut = [...line.leftOut, ...reader.parse(`no ${said}`).leftOut];
  const next = { ...line, leftOut };
  return reader.understand(next).foods.length > 0 ? next : undefined;
};
