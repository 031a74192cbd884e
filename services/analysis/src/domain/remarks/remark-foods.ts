import type { FoundFood } from "../composition/read-part.ts";
import { hasAmount } from "../composition/read-part.ts";
import type { LineReader, LineReading } from "../line-reader.ts";
import { withAmount, withName, withParts } from "../segmentation/parsed-line.ts";
import type { ParsedLine, SaidPart } from "../segmentation/parsed-line.ts";
import { isDescription } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";
import type { Tokens } from "../text/tokens.ts";
import { isNamedBy } from "./line-remarks.ts";
import { NAMED_SCORE } from "./remark-amounts.ts";
import type { LineChange } from "./remark-amounts.ts";

/** Minimum score of another kind of the food: its usual name with one more significant word. */
const KIND_SCORE = 0.84;
const MILK = "milk";

/** The food of a reading that has no other, known or unknown. */
export function onlyFoodOf({ foods, unknown }: LineReading): FoundFood | undefined {
  const [found, ...others] = foods;
  return others.length === 0 && unknown.length === 0 ? found : undefined;
}

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
function withAll(line: ParsedLine, said: string, reader: LineReader): ParsedLine {
  return withParts(line, withoutCookingWater(reader.parse(said), reader));
}

/** Drops "cooked in water". */
function withoutCookingWater(said: ParsedLine, reader: LineReader): ParsedLine {
  const isWater = ({ name }: SaidPart) => reader.find(name)?.kind === "water";
  return { ...said, parts: said.parts.filter((part) => !part.isMedium || !isWater(part)) };
}

/** "Oats cooked in water" for oatmeal restates the food, with its amount and what goes with it. */
export const withRestated: LineChange = (line, said, reader) => {
  const told = withoutCookingWater(reader.parse(said), reader);
  const [again, ...rest] = told.parts;
  const at = reader.understand(line).foods.findIndex(({ match }) => isNamedBy(match.food, again));
  const part = line.parts[at];
  if (!again || !part || reader.understand(told).unknown.length > 0) return undefined;
  const amounts = !hasAmount(part) && hasAmount(again);
  const own = amounts ? withAmount(line, part, again.amount) : line;
  return withParts(own, { ...told, parts: rest });
};

/** "In butter" for a steak, "in water" for tuna: the cooking or packing medium. */
export const withMedium: LineChange = (line, said, reader) => {
  const next = withNameJoined(line, reader.tokensOf(said), reader) ?? withAll(line, said, reader);
  const { foods, unknown, mainUnknown } = reader.understand(next);
  return foods.length > 0 && !mainUnknown && unknown.length === 0 ? next : undefined;
};

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
  return [...meant, ...(isMilk ? [withAll(line, said, reader)] : [])].find((next) =>
    isOneClearFood(reader.understand(next), [...kind, ...part.name]),
  );
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
function isOneClearFood({ foods, unknown }: LineReading, said: Tokens): boolean {
  // "Fried" adds the frying oil.
  const [found, ...others] = foods.filter(({ text }) => text !== "fried");
  if (!found || others.length > 0 || unknown.length > 0) return false;
  const { match } = found;
  if (match.score < KIND_SCORE) return false;
  return wordsOf(said).every((word) => isDescription(word) || !match.unmatched.includes(word));
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
