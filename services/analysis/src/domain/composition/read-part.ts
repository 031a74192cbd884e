import { type Food, isSolid } from "../foods/food.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import type { FoodMatch } from "../matching/comparison.ts";
import type { PortionWeight } from "../portions/measured-weight.ts";
import { type Amount, hasAmount } from "../segmentation/amount.ts";
import type { LinePart } from "../segmentation/parsed-line.ts";
import { groupsOfClass } from "../text/vocabulary.ts";
import { LISTS } from "../text/words.ts";

/** One food of a line, and the food of the table that it was matched with. */
export interface ReadPart extends LinePart {
  /** The words without the amount. */
  readonly name: readonly string[];
  readonly amount: Amount;
  readonly match: FoodMatch | undefined;
}

/** A matched food of a line with its weight. */
export interface FoundFood {
  readonly text: string;
  readonly match: FoodMatch;
  readonly amount: Amount;
  readonly weight: PortionWeight;
}

/** The part with that food as its match. */
export function withFood(part: ReadPart, food: Food, score: number) {
  return { ...part, match: { food, score, unmatched: [] } };
}

/** The part as a main food of its line. */
export function asMain(part: ReadPart): ReadPart {
  return { ...part, role: "main" };
}

/** Counts a food once if the line names it first and measures it later: "pancakes with syrup, 3 pancakes". */
export function withoutRestated(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return withoutHeading(withAmountsGathered(foldIngredients(withKinds(parts, index))));
}

/** "Steak 225 g (sirloin)", "cake (carrot), 80 g": the brackets say which kind is meant. */
function withKinds(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.reduce<readonly ReadPart[]>((before, part) => {
    const [general, kind] = [before.at(-1), part.match];
    const isAside = part.isMedium && part.role === "main";
    if (!isAside || !kind || !general?.match || [general, part].every(hasAmount))
      return [...before, part];
    // "Smoked salmon (lox)" names one food twice.
    if (isSame(general, part) && !hasAmount(part)) return before;
    const named = isSolid(kind.food) && index.findByWords([...part.name, ...general.name]);
    // "Protein bar (chocolate)" is no chocolate.
    const isKind = kind.food.group === general.match.food.group && general.name.length === 1;
    if (!named && !isKind) return [...before, part];
    const { amount } = hasAmount(part) ? part : general;
    const match = { ...kind, food: named || kind.food };
    return [...before.slice(0, -1), { ...general, name: part.name, amount, match }];
  }, []);
}

/** "Omelette with 3 eggs": the eggs state the amount of the omelette and are not an addition. */
function foldIngredients(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [main, next] = parts;
  const unit = next?.match?.food.name;
  const folds = unit && next.amount.counted && next.role !== "companion";
  if (!main?.match || !folds || !main.match.food.portions.has(unit)) return parts;
  const { count } = next.amount;
  return [{ ...main, amount: { count, counted: true, unit } }, ...parts.slice(2)];
}

function withAmountsGathered(parts: readonly ReadPart[]): readonly ReadPart[] {
  const isAgain = (earlier: ReadPart, later: ReadPart) =>
    isSame(earlier, later) && !hasAmount(earlier) && hasAmount(later);
  return parts
    .filter((part, at) => !parts.slice(0, at).some((earlier) => isAgain(earlier, part)))
    .map((part) => {
      const later = parts.slice(parts.indexOf(part) + 1).find((other) => isAgain(part, other));
      return later ? { ...part, amount: later.amount } : part;
    });
}

/** Drops the first food if the measured foods after it contain every word of its name. */
function withoutHeading(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [first, ...rest] = parts;
  if (!first || hasAmount(first) || rest.length < 2 || !rest.every(hasAmount)) return parts;
  const said = new Set(rest.flatMap(({ name }) => name));
  const isOfRest = (group: string) => rest.some(({ match }) => match?.food.group === group);
  // "Fish supper: haddock 160 g, mash 180 g".
  const isHeading = first.name.every((word) => {
    const isSaid = word === "and" || said.has(word) || LISTS.vagueWords.has(word);
    return isSaid || groupsOfClass(word)?.some(isOfRest);
  });
  const [next, ...others] = rest;
  return isHeading && next ? [asMain(next), ...others] : parts;
}

/** Counts each food of a text once: "packed a peach, ate the peach", "sushi, six pieces of tuna roll". */
export function withoutMentions(parts: readonly ReadPart[]): readonly ReadPart[] {
  const kept: ReadPart[] = [];
  parts.forEach((part, at) => {
    const isKind = parts.slice(at + 1).some((later) => isKindOf(part, later));
    const isAgain = !hasAmount(part) && kept.some((earlier) => isSame(earlier, part));
    if (!isKind && !isAgain) kept.push(part);
  });
  return kept;
}

function isSame(one: ReadPart, other: ReadPart): boolean {
  return one.match !== undefined && one.match.food === other.match?.food;
}

/** Whether a name of one word, without weight or unit, is the kind of food that a later part specifies. */
function isKindOf(part: ReadPart, later: ReadPart): boolean {
  const [word, ...others] = part.name;
  const { unit, measure, size } = part.amount;
  if (word === undefined || others.length > 0 || unit || measure || size) return false;
  const told = [...later.name, ...(later.match?.food.name.split(" ") ?? [])];
  const isTold = later.match !== undefined && later.name.length > 1 && told.includes(word);
  return isTold && (hasAmount(later) || !hasAmount(part));
}
