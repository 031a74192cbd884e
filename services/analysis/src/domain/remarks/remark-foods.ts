import type { FoundFood } from "../composition/read-part.ts";
import { hasAmount } from "../composition/read-part.ts";
import type { LineReader, LineReading } from "../line-reader.ts";
import { withName, withParts } from "../segmentation/parsed-line.ts";
import type { ParsedLine, SaidPart } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { words } from "../text/words.ts";
import { NAMED_SCORE, namesOneFood, onlyFoodOf } from "./line-change.ts";
import type { LineChange } from "./line-change.ts";

/** Minimum score of another kind of the food: its usual name with one more significant word. */
const KIND_SCORE = 0.84;
const MILK = "milk";
/** Food groups outside the curated table. */
const IMPORTED = words("survey reference branded");

/** The table's own entry for the food with the remark: "tuna in oil", "burger no bun". */
export function withNameJoined(
  line: ParsedLine,
  said: Tokens,
  reader: LineReader,
): ParsedLine | undefined {
  const [part, ...others] = line.parts;
  const name = part && [...part.name, ...said];
  return name && others.length === 0 && reader.isName(name)
    ? withName(line, part, name)
    : undefined;
}

/** Adds what a text names beside the food, known or not; ignores cooking water. */
export function withAll(line: ParsedLine, said: string, reader: LineReader): ParsedLine {
  return withParts(line, withoutCookingWater(reader.parse(said), reader));
}

/** Drops "cooked in water". */
export function withoutCookingWater(said: ParsedLine, reader: LineReader): ParsedLine {
  const isWater = ({ name }: SaidPart) => reader.find(name)?.kind === "water";
  return { ...said, parts: said.parts.filter((part) => !part.isMedium || !isWater(part)) };
}

/** Adds something eaten with the line. */
export const withAddition: LineChange = (line, said, reader) => {
  const next = withAll(line, said, reader);
  const [before, after] = [reader.understand(line), reader.understand(next)];
  const isRead = after.unknown.length <= before.unknown.length && !after.mainUnknown;
  const isChanged = after.foods.some((found) => !before.foods.some((own) => isAlike(own, found)));
  return isRead && isChanged ? next : undefined;
};

function isAlike(one: FoundFood, other: FoundFood): boolean {
  return one.match.food.name === other.match.food.name && one.weight.grams === other.weight.grams;
}

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
  // "Latte with oat milk" is an oat milk latte.
  const isMilk = wordsOf(kind).at(-1) === MILK;
  const [before] = reader.understand(line).foods;
  return [...meant, ...(isMilk ? [withAll(line, said, reader)] : [])].find((next) => {
    const reading = reader.understand(next);
    // A kind of a curated food is never an imported product that happens to share the words.
    const isOfTable = isImported(reading.foods[0]) === isImported(before);
    return isOfTable && isOneClearFood(reading, [...kind, ...part.name]);
  });
};

/**
 * Whether "2 scoops vanilla" states the amount of the line: it is neither a food itself nor part of
 * a drink.
 */
function isBare(line: ParsedLine, said: string, reader: LineReader): boolean {
  const [main] = reader.understand(line).foods;
  const isOpen = main?.match.food.kind === "food" && !line.parts.some(hasAmount);
  return isOpen && !namesOneFood(said, reader);
}

function isImported(found: FoundFood | undefined): boolean {
  return IMPORTED.has(found?.match.food.group ?? "");
}

/** Whether a reading is one clear food whose name has the words: cheese on toast is no eggs on toast. */
function isOneClearFood({ foods, unknown }: LineReading, said: Tokens): boolean {
  const [found, ...others] = foods;
  if (!found || unknown.length > 0) return false;
  const isUsed = wordsOf(said).every(
    (word) => isDescription(word) || !found.match.unmatched.includes(word),
  );
  // "Fried" adds the frying oil.
  const isAlone = others.every(({ weight }) => weight.assumption?.endsWith("for frying"));
  return isAlone && isUsed && found.match.score >= KIND_SCORE;
}

/** "2 sugars" for a coffee, "30 g feta" for a salad, "butter" for toast: obviously additions. */
export function isAddedUnasked(line: ParsedLine, said: string, reader: LineReader): boolean {
  const { foods, unknown } = reader.read(said);
  const [main] = reader.understand(line).foods;
  if (!main || foods.length === 0 || unknown.length > 0) return false;
  if (foods.some(({ match }) => match.score < NAMED_SCORE)) return false;
  const isDrink = main.match.food.kind !== "food";
  const takesAny = isDrink || main.match.food.group === "bakery";
  return foods.every(({ match, amount }) => {
    const isMeasured = amount.counted || amount.measure !== undefined;
    const goesOn = match.food.portions.has(isDrink ? "splash" : "topping");
    return isMeasured || (goesOn && (takesAny || match.food.group === "fats-sauces"));
  });
}

/** The one food that the correction clearly names, by default in the line's amount. */
export const withOtherFood: LineChange = (line, said, reader) => {
  const found = onlyFoodOf(reader.read(said));
  const [part, ...others] = line.parts;
  const [other] = reader.parse(said).parts;
  if (!found || found.match.score < NAMED_SCORE || !part || !other) return undefined;
  if (others.length > 0) return undefined;
  if (hasAmount(found)) return reader.parse(said);
  const filled = withOtherFilling(line, { part, found, other }, reader);
  return filled ?? withName(line, part, other.name);
};

/** "It was beef" for a chicken curry makes it a beef curry. */
function withOtherFilling(
  line: ParsedLine,
  { part, found, other }: { part: SaidPart; found: FoundFood; other: SaidPart },
  reader: LineReader,
): ParsedLine | undefined {
  const head = part.name.at(-1);
  if (part.name.length < 2 || !head) return undefined;
  const next = withName(line, part, [...other.name, head]);
  const dish = onlyFoodOf(reader.understand(next))?.match;
  const isDish = dish && dish.food !== found.match.food && dish.unmatched.length === 0;
  return isDish && dish.score >= NAMED_SCORE ? next : undefined;
}
