import type { FoodIndex } from "../matching/food-index.ts";
import { expandMeals } from "./meals.ts";
import { isDescription } from "../text/name-words.ts";
import { hasAmount } from "./read-part.ts";
import type { ReadPart } from "./read-part.ts";
import { LISTS, words } from "../text/words.ts";
import type { Food } from "../foods/food.ts";
import dishes from "../../../foods/words/dishes.json" with { type: "json" };

/** Confidence lost when the usual drink stands in for one with another milk. */
const OTHER_MILK_COST = 0.15;

/**
 * Merges parts into one named dish: "quesadilla with chicken" becomes a chicken quesadilla, and
 * "latte with oat milk" an oat milk latte, where the table has one. Milk is never added to a drink
 * that is mostly milk.
 */
export function withComposites(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const served = [withStatedMilk, expandMeals].reduce(
    (read, asMeant) => asMeant(read, index),
    parts,
  );
  return withFilling(withoutOwnParts(withoutItsBread(served)), index);
}

/** "Beef stew with vegetables" is just the stew: its own ingredients are not eaten beside it. */
function withoutOwnParts(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [main, ...rest] = parts;
  const head = main?.name.at(-1) ?? "";
  const own = main?.match && dishes.ownParts.find(({ dishes }) => dishes.includes(head))?.parts;
  if (!own) return parts;
  const isOwn = (part: ReadPart) => own.includes(part.name.at(-1) ?? "") && !hasAmount(part);
  return parts.filter((part) => !rest.includes(part) || !isOwn(part));
}

function withFilling(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const [main, ...rest] = parts;
  const head = main?.name.at(-1) ?? "";
  if (!main?.match || !LISTS.filledWith.has(head)) return parts;
  // "Latte, oat milk"; plain milk may be a glass of its own.
  const isOwnMilk = (part: ReadPart) => isMilk(part) && part.name.length > 1 && part === rest[0];
  const added = rest.filter(
    (part) =>
      !hasAmount(part) &&
      (part.part.role === "addition" || (LISTS.milkDrinks.has(head) && isOwnMilk(part))),
  );
  if (added.length === 0) return parts;
  const food = findComposite(main, added, index);
  if (food) {
    const match = { food, score: 0.97, unmatched: [] };
    return [{ ...main, match }, ...rest.filter((part) => !added.includes(part))];
  }
  const milk = LISTS.milkDrinks.has(head) && added.find(isMilk);
  if (!milk) return parts;
  const match = { ...main.match, score: main.match.score - OTHER_MILK_COST };
  return [{ ...main, match }, ...rest.filter((part) => part !== milk)];
}

function findComposite(main: ReadPart, added: readonly ReadPart[], index: FoodIndex) {
  const filling = added.flatMap(({ name }) => name);
  const telling = filling.filter((word) => !isDescription(word));
  // "2 egg omelette with cheese": the eggs state the size of the omelette.
  const name = main.name.filter((word) => word !== main.amount.unit);
  return (
    index.findByWords([...filling, ...name]) ??
    findMilkDrink([...filling, ...name], index) ??
    // "Latte with sugar" is more than a latte.
    (telling.length > 0 ? index.findByWords([...telling, ...name]) : undefined)
  );
}

function isMilk({ name }: ReadPart): boolean {
  return name.at(-1) === "milk";
}

const SANDWICHES = words("sandwich blt toastie panini sub club burger cheeseburger hamburger dog");

function isSandwich({ name, match }: ReadPart): boolean {
  const said = [...name, ...(match?.food.name.split(" ") ?? [])];
  return said.some((word) => SANDWICHES.has(word));
}

/** "Turkey sandwich on rye": the sandwich already contains its bread. */
function withoutItsBread(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [first, ...rest] = parts;
  if (!first?.match || !isSandwich(first)) return parts;
  // Of other dishes, only what follows "on" is a food of its own.
  const bread = rest.find(
    ({ part, name, amount }) =>
      (part.role === "main" || part.isMedium) &&
      amount.measure === undefined &&
      name.length > 0 &&
      name.every((word) => LISTS.breads.has(word)),
  );
  if (!bread) return parts;
  const sandwich: ReadPart = { ...first, part: { ...first.part, role: "main" } };
  return [sandwich, ...rest.filter((part) => part !== bread)];
}

const MILK = "milk";
/** Words for kinds of milk that mean fat-free. */
const FATLESS = words("skim skimmed skinny nonfat 0%");
const NAMED_SCORE = 0.9;
const FOUND_SCORE = 0.97;
/** Score of the usual drink standing in for one whose milk the table does not list. */
const NEAR_SCORE = 0.82;

/** "Latte skim milk" is a skim milk latte: a milk named after the drink replaces its own. */
function withStatedMilk(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const isSaid = part.name.includes(MILK) && part.name.some((word) => LISTS.milkDrinks.has(word));
    if (!isSaid || (part.match?.score ?? 0) >= NAMED_SCORE) return part;
    const food = findMilkDrink(part.name, index);
    if (food) return { ...part, match: { food, score: FOUND_SCORE, unmatched: [] } };
    const usual = index.findByWords(part.name.filter((word) => !LISTS.milkKinds.has(word)));
    return usual ? { ...part, match: { food: usual, score: NEAR_SCORE, unmatched: [] } } : part;
  });
}

/** The drink made with that milk: the skim latte for "latte skim milk". */
function findMilkDrink(name: readonly string[], index: FoodIndex): Food | undefined {
  if (!name.includes(MILK)) return undefined;
  const drink = name.filter((word) => !LISTS.milkKinds.has(word));
  const isFatless =
    name.some((word) => FATLESS.has(word)) || (name.includes("fat") && name.includes("free"));
  return (
    index.findByWords(name.filter((word) => word !== MILK)) ??
    (isFatless ? index.findByWords(["skim", ...drink]) : undefined)
  );
}
