import { hasAmount } from "../segmentation/parsed-line.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { isDescription } from "../text/name-words.ts";
import { asMain } from "./read-part.ts";
import type { ReadPart } from "./read-part.ts";
import dishes from "../../../foods/words/dishes.json" with { type: "json" };
import { expandMeals } from "./meals.ts";
import { LISTS, words } from "../text/words.ts";

const BESIDE_SCORE = 0.85;
const PARTS_MIN = 2;
const MEALS: ReadonlySet<string> = new Set(dishes.meals);
const MEAL_PARTS_MIN = 3;

/**
 * "Full English with two eggs, bacon and beans" is the eggs, bacon and beans. "Tuna salad with 120 g
 * tuna and two eggs" is the named parts and the rest of the salad, not a whole tuna salad plus the
 * parts.
 */
export function withPartsNamed(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const [dish, ...rest] = parts;
  const head = dish?.name.at(-1) ?? "";
  const held = dishes.assembled.find(({ dishes }) => dishes.includes(head));
  // "250 g curry with 150 g rice and 90 g naan" are three foods.
  if (!dish || dish.amount.measure || dish.amount.unit) return parts;
  const isMeal = MEALS.has(dish.match?.food.name ?? "");
  if (isMeal && rest.length >= MEAL_PARTS_MIN) return withMain(rest);
  if (!held || rest.length < PARTS_MIN || !rest.every(hasAmount)) return parts;
  const named = new Set(rest.flatMap(({ name }) => name));
  const kinds = dish.name.filter((word) => word !== head && !isDescription(word));
  // A chicken salad with 30 g of nuts still contains its chicken.
  const isMadeOf = kinds.every((word) => named.has(word));
  // "Chicken curry, rice and naan" are three foods; a "smoothie with milk and a banana" is one.
  const isWith = held.base === null && rest[0]?.role === "addition";
  if (!(isMadeOf || isWith)) return parts;
  const beside = held.base === null ? undefined : index.findByName(held.base);
  const isThere = held.bases.some((word) => named.has(word));
  if (!beside || isThere) return withMain(rest);
  return [{ ...dish, match: { food: beside, score: BESIDE_SCORE, unmatched: [] } }, ...rest];
}

/** The parts, the first of which becomes the main food. */
function withMain([first, ...others]: readonly ReadPart[]): readonly ReadPart[] {
  return first ? [asMain(first), ...others] : [];
}

/**
 * Merges parts into one named dish: "quesadilla with chicken" becomes a chicken quesadilla, and
 * "latte with oat milk" an oat milk latte, where the table has one. Milk is never added to a drink
 * that is mostly milk.
 */
export function withComposites(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const served = expandMeals(withStatedMilk(withDressingApart(parts, index), index), index);
  return withFilling(withoutOwnParts(withoutItsBread(served)), index);
}

/** "Greek salad with 2 tbsp olive oil": the salad is the one without its usual dressing. */
function withDressingApart(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const [main, ...rest] = parts;
  const isDressed = rest.some(({ match }) => match?.food.group === "fats-sauces");
  const bare = isDressed && index.findByName(`${main?.match?.food.name} without dressing`);
  return main?.match && bare ? [{ ...main, match: { ...main.match, food: bare } }, ...rest] : parts;
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
  if (!main?.match || !LISTS.filledWith.has(main.name.at(-1) ?? "")) return parts;
  const unsaid = rest.filter((part) => !hasAmount(part));
  const additions = unsaid.filter((part) => part.role === "addition");
  // "2 egg omelette with cheese": the eggs state the size of the omelette.
  const own = main.name.filter((word) => word !== main.amount.unit);
  // "With cheese and spinach" is one filling, if there is such a dish.
  for (const added of additions.length > 0 ? [unsaid, additions] : []) {
    const held = added.flatMap(({ name }, at) => (at > 0 ? ["and", ...name] : name));
    const food = index.findByWords([...held, ...own]);
    const match = food && { food, score: FOUND_SCORE, unmatched: [] };
    if (match) return [{ ...main, match }, ...rest.filter((part) => !added.includes(part))];
  }
  return parts;
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
    ({ role, isMedium, name, amount }) =>
      (role === "main" || isMedium) &&
      amount.measure === undefined &&
      name.length > 0 &&
      name.every((word) => LISTS.breads.has(word)),
  );
  if (!bread) return parts;
  return [asMain(first), ...rest.filter((part) => part !== bread)];
}

const MILK = "milk";
/** Words for kinds of milk that mean fat-free. */
const FATLESS = /\b(?:skim|skimmed|skinny|nonfat|fat free|0%)/;
const NAMED_SCORE = 0.9;
const FOUND_SCORE = 0.97;
/** Score of the usual drink standing in for one whose milk the table does not list. */
const NEAR_SCORE = 0.82;

/** "Latte skim milk" and "latte with skim milk": a milk named with a drink replaces its own. */
function withStatedMilk(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const [main, ...rest] = parts;
  const isDrink = main !== undefined && LISTS.milkDrinks.has(main.name.at(-1) ?? "");
  const added = isDrink ? rest.find((part, at) => isMilkOf(part, at)) : undefined;
  if (!main || !added) return parts.map((part) => withMilkOf(part, index));
  const name = [...added.name, ...main.name];
  const joined = withMilkOf({ ...main, name, match: undefined }, index);
  return joined.match ? [joined, ...rest.filter((part) => part !== added)] : parts;
}

/** A milk of its own kind right after the drink, or any milk that is added to it. */
function isMilkOf(part: ReadPart, at: number): boolean {
  const isKind = at === 0 && part.name.length > 1;
  return part.name.at(-1) === MILK && !hasAmount(part) && (isKind || part.role === "addition");
}

/** The drink made with the milk in its name; the usual drink if the table lists no such one. */
function withMilkOf(part: ReadPart, index: FoodIndex): ReadPart {
  const { name } = part;
  const isSaid = name.includes(MILK) && name.some((word) => LISTS.milkDrinks.has(word));
  if (!isSaid || (part.match?.score ?? 0) >= NAMED_SCORE) return part;
  const drink = name.filter((word) => !LISTS.milkKinds.has(word));
  const listed =
    index.findByWords(name) ??
    index.findByWords(name.filter((word) => word !== MILK)) ??
    (FATLESS.test(name.join(" ")) ? index.findByWords(["skim", ...drink]) : undefined);
  const food = listed ?? index.findByWords(drink);
  const score = listed ? FOUND_SCORE : NEAR_SCORE;
  return food ? { ...part, match: { food, score, unmatched: [] } } : part;
}
