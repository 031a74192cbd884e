import type { FoodIndex } from "../matching/food-index.ts";
import { expandMeals } from "./meals.ts";
import { isDescription } from "../text/name-words.ts";
import { hasAmount } from "./read-part.ts";
import type { ReadPart } from "./read-part.ts";
import { wordList, words } from "../text/words.ts";
import type { Food } from "../foods/food.ts";

/** Dishes that are called by what they are filled, topped or made with. */
const FILLED = wordList("filledWith");
/** What trusting a drink with another milk for the usual one costs. */
const OTHER_MILK_COST = 0.15;

/**
 * "Quesadilla with chicken" is a chicken quesadilla and "latte with oat milk" an oat milk latte,
 * where the table has one. A milk in a drink of milk is never added to it.
 */
export function withComposites(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const served = [withGreekYogurt, withStatedMilk, expandMeals].reduce(
    (read, asMeant) => asMeant(read, index),
    parts,
  );
  return withFilling(withoutOwnParts(withoutItsBread(served)), index);
}

/** What dishes hold anyway, by the head of their names. */
const OWN_PARTS: readonly (readonly [dishes: ReadonlySet<string>, parts: ReadonlySet<string>])[] = [
  [words("stew soup curry casserole stir fry"), words("vegetable veggie")],
  [words("cake cupcake doughnut brownie bun roll"), words("icing frosting glaze")],
  [words("burrito bowl taco"), words("rice bean cheese lettuce salsa tortilla")],
];

/** "Beef stew with vegetables" is the stew: what it holds anyway is not eaten with it. */
function withoutOwnParts(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [main, ...rest] = parts;
  const head = main?.name.at(-1) ?? "";
  const own = main?.match && OWN_PARTS.find(([dishes]) => dishes.has(head))?.[1];
  if (!own) return parts;
  const isOwn = (part: ReadPart) => own.has(part.name.at(-1) ?? "") && !hasAmount(part);
  return parts.filter((part) => !rest.includes(part) || !isOwn(part));
}

function withFilling(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const [main, ...rest] = parts;
  const head = main?.name.at(-1) ?? "";
  if (!main?.match || !FILLED.has(head)) return parts;
  const added = rest.filter((part) => part.part.role === "addition" && !hasAmount(part));
  if (added.length === 0) return parts;
  const food = findComposite(main, added, index);
  if (food) {
    const match = { food, score: 0.97, unmatched: [] };
    return [{ ...main, match }, ...rest.filter((part) => !added.includes(part))];
  }
  const milk = MILK_DRINKS.has(head) && added.find(isMilk);
  if (!milk) return parts;
  const match = { ...main.match, score: main.match.score - OTHER_MILK_COST };
  return [{ ...main, match }, ...rest.filter((part) => part !== milk)];
}

function findComposite(main: ReadPart, added: readonly ReadPart[], index: FoodIndex) {
  const filling = added.flatMap(({ name }) => name);
  const telling = filling.filter((word) => !isDescription(word));
  // "2 egg omelette with cheese": the eggs say how much it is.
  const name = main.name.filter((word) => word !== main.amount.unit);
  return (
    index.findByWords([...filling, ...name]) ??
    findMilkDrink([...filling, ...name], index) ??
    index.findByWords([...telling, ...name])
  );
}

function isMilk({ name }: ReadPart): boolean {
  return name.at(-1) === "milk";
}

const SANDWICHES = words("sandwich blt toastie panini sub club burger cheeseburger hamburger dog");
const BREADS = wordList("breads");

function isSandwich({ name, match }: ReadPart): boolean {
  const said = [...name, ...(match?.food.name.split(" ") ?? [])];
  return said.some((word) => SANDWICHES.has(word));
}

/** "Turkey sandwich on rye" is on the bread that the sandwich has anyway. */
function withoutItsBread(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [first, ...rest] = parts;
  if (!first?.match || !isSandwich(first)) return parts;
  // Of the others only what comes after "on" is a food of its own.
  const bread = rest.find(
    ({ part, name }) =>
      (part.role === "main" || part.isMedium) &&
      name.length > 0 &&
      name.every((word) => BREADS.has(word)),
  );
  if (!bread) return parts;
  const sandwich: ReadPart = { ...first, part: { ...first.part, role: "main" } };
  return [sandwich, ...rest.filter((part) => part !== bread)];
}

/** Drinks that are mostly milk, so that a milk in them takes the place of their own. */
const MILK_DRINKS = wordList("milkDrinks");
const MILK = "milk";
/** Words for what kind of milk it is, and those of them that say it has no fat. */
const FATLESS = words("skim skimmed skinny nonfat 0%");
const MILK_KINDS = wordList("milkKinds");
const NAMED_SCORE = 0.9;
const FOUND_SCORE = 0.97;
/** What trusting the usual drink for one with a milk that the table has not costs. */
const NEAR_SCORE = 0.82;

/** "Latte skim milk" is a skim milk latte: a milk after the drink takes the place of its own. */
function withStatedMilk(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const isSaid = part.name.includes(MILK) && part.name.some((word) => MILK_DRINKS.has(word));
    if (!isSaid || (part.match?.score ?? 0) >= NAMED_SCORE) return part;
    const food = findMilkDrink(part.name, index);
    if (food) return { ...part, match: { food, score: FOUND_SCORE, unmatched: [] } };
    const usual = index.findByWords(part.name.filter((word) => !MILK_KINDS.has(word)));
    return usual ? { ...part, match: { food: usual, score: NEAR_SCORE, unmatched: [] } } : part;
  });
}

/** The drink with that milk: of "latte skim milk" the skim latte. */
function findMilkDrink(name: readonly string[], index: FoodIndex): Food | undefined {
  if (!name.includes(MILK)) return undefined;
  const drink = name.filter((word) => !MILK_KINDS.has(word));
  const isFatless =
    name.some((word) => FATLESS.has(word)) || (name.includes("fat") && name.includes("free"));
  return (
    index.findByWords(name.filter((word) => word !== MILK)) ??
    (isFatless ? index.findByWords(["skim", ...drink]) : undefined)
  );
}

/** Makers whose yogurt is strained, so that it has twice the protein of others. */
const GREEK = words("fage chobani oikos");
const YOGURT = "yogurt";

/** "Fage 0% yogurt" is Greek yogurt, though it does not say so. */
function withGreekYogurt(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const isGreek = part.name.includes(YOGURT) && part.name.some((word) => GREEK.has(word));
    if (!isGreek || part.name.includes("greek")) return part;
    const match = index.match([...part.name.filter((word) => word !== YOGURT), "greek", YOGURT]);
    return match?.food.name.includes("greek") ? { ...part, match } : part;
  });
}
