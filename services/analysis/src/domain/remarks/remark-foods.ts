import type { LineReader, LineReading } from "../line-reader.ts";
import {
  hasAmount,
  indexOfPhrase,
  withAmount,
  withName,
  withParts,
} from "../segmentation/parsed-line.ts";
import type { ParsedLine } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/vocabulary.ts";
import { isWord, wordsOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { AND, WITH } from "../text/words.ts";
import { isNamedBy } from "./line-remarks.ts";
import { NAMED_SCORE, onlyFoodOf } from "./remark-amounts.ts";
import type { LineChange } from "./remark-amounts.ts";

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

/**
 * Whether "2 scoops vanilla" states the amount of the line: it is neither a food itself nor part of
 * a drink.
 */
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

/** "40 g oats, 300 ml milk" is the recipe of a porridge without an amount. */
export function recipeOf(line: ParsedLine, clauses: readonly string[], reader: LineReader) {
  const isWeighed = (clause: string) => onlyFoodOf(reader.read(clause))?.amount.measure;
  if (clauses.length < 2 || line.parts.some(hasAmount) || !clauses.every(isWeighed))
    return undefined;
  return clauses.map((clause) => reader.parse(clause)).reduce(withParts);
}
