import dishes from "../../../foods/words/dishes.json" with { type: "json" };
import { hasAmount, NO_AMOUNT } from "../segmentation/amount.ts";
import type { FoodIndex } from "../matching/food-index.ts";
import { isDescription } from "../text/vocabulary.ts";
import { asMain, type ReadPart, withFood } from "./read-part.ts";
import { LISTS, words, singular } from "../text/words.ts";
import { EACH, type Food, servingGrams } from "../foods/food.ts";
import { wordsOf } from "../text/tokens.ts";
import { findSize } from "../text/quantities.ts";

const BESIDE_SCORE = 0.85;
const MEAL_PARTS_MIN = 3;

/**
 * "Full English with two eggs, bacon and beans" is the eggs, bacon and beans. "Tuna salad with 120 g
 * tuna and two eggs" is the named parts and the rest of the salad, not a whole tuna salad plus the
 * parts.
 */
export function withPartsNamed(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const [dish, first, ...others] = parts;
  // "250 g curry with 150 g rice and 90 g naan" are three foods.
  if (!dish || !first || dish.amount.measure || dish.amount.unit) return parts;
  const rest = [first, ...others];
  const listed = [asMain(first), ...others];
  if (dishes.meals.includes(dish.match?.food.name ?? "") && rest.length >= MEAL_PARTS_MIN)
    return listed;
  const head = dish.name.at(-1) ?? "";
  const held = dishes.assembled.find(({ dishes }) => dishes.includes(head));
  if (!held || rest.length < 2 || !rest.every(hasAmount)) return parts;
  const named = new Set(rest.flatMap(({ name }) => name));
  // A chicken salad with 30 g of nuts still contains its chicken.
  const isMadeOf = dish.name.every(
    (word) => word === head || isDescription(word) || named.has(word),
  );
  // "Chicken curry, rice and naan" are three foods; a "smoothie with milk and a banana" is one.
  if (!isMadeOf && (held.base !== null || first.role !== "addition")) return parts;
  const isThere = held.bases.some((word) => named.has(word));
  const base = held.base === null || isThere ? undefined : index.findByName(held.base);
  return base ? [withFood(dish, base, BESIDE_SCORE), ...rest] : listed;
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
    const others = rest.filter((part) => !added.includes(part));
    if (food) return [withFood(main, food, FOUND_SCORE), ...others];
  }
  return parts;
}

/** "Turkey sandwich on rye": the sandwich already contains its bread. */
function withoutItsBread(parts: readonly ReadPart[]): readonly ReadPart[] {
  const [first, ...rest] = parts;
  const said = [...(first?.name ?? []), ...(first?.match?.food.name.split(" ") ?? [])];
  if (!first?.match || !said.some((word) => LISTS.sandwiches.has(word))) return parts;
  // Of other dishes, only what follows "on" is a food of its own.
  const bread = rest.find(
    ({ role, isMedium, name, amount }) =>
      (role === "main" || isMedium) &&
      amount.measure === undefined &&
      name.length > 0 &&
      name.every((word) => LISTS.breads.has(word)),
  );
  return bread ? [asMain(first), ...rest.filter((part) => part !== bread)] : parts;
}

const MILK = "milk";
const FOUND_SCORE = 0.97;
/** Score of the usual drink standing in for one whose milk the table does not list. */
const NEAR_SCORE = 0.82;

/** "Latte, skim milk" and "latte with skim milk": a milk named with a drink replaces its own. */
function withStatedMilk(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const [main, ...rest] = parts;
  const milk = rest.find(({ name, amount, role }, at) => {
    const isKind = at === 0 && name.length > 1;
    return name.at(-1) === MILK && !hasAmount({ amount }) && (isKind || role === "addition");
  });
  if (!main?.match || !milk || !LISTS.milkDrinks.has(main.name.at(-1) ?? "")) return parts;
  const kind = milk.name.filter((word) => word !== MILK);
  const named = [milk.name, kind].map((said) => index.findByWords([...said, ...main.name]));
  const food = named.find((listed) => listed !== undefined);
  const usual = { ...main, match: { ...main.match, score: NEAR_SCORE } };
  const drink = food ? withFood(main, food, FOUND_SCORE) : usual;
  return [drink, ...rest.filter((part) => part !== milk)];
}

const COMBOS = words("meal combo");
/** Singular, because names are looked up in the singular. */
const FRIES = "french fry";
/** A serving heavier than this many pieces consists of several. */
const PIECE_SHARE = 1.5;

/**
 * Expands meals: "Big Mac meal with coke" is the burger, fries and the cola. Fries and drink are
 * medium unless the line states another size. No drink is added unless it is named.
 */
function expandMeals(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  const meal = parts.find(({ name }) => name.some((word) => COMBOS.has(word)));
  const named = wordsOf(meal?.tokens.filter(({ kind }) => kind === "word") ?? []);
  const whole = findFastFood(named, index);
  const food = whole ?? findFastFood(meal?.name ?? [], index);
  if (!meal || !food) return parts;
  const { count, size: said } = meal.amount;
  // The "big" of a Big Mac is no size.
  const size = (whole && findSize(named[0] ?? "") ? undefined : said) ?? "medium";
  const at = parts.indexOf(meal) + 1;
  const after = parts.slice(at).map((part) => {
    const isDrink = part.match && part.match.food.kind !== "food" && !hasAmount(part);
    return isDrink ? { ...part, amount: { ...NO_AMOUNT, size } } : part;
  });
  const main = { ...withFood(meal, food, 1), amount: { count, counted: true } };
  const fries = index.findByName(FRIES);
  const hasFries = after.some(({ match }) => match?.food.name.endsWith("fries"));
  // "6 nugget meal" is one meal of six nuggets.
  const isOfPieces = servingGrams(food) > PIECE_SHARE * (food.portions.get(EACH) ?? Infinity);
  const amount = { count: isOfPieces ? 1 : count, counted: true, size };
  const side = { ...meal, role: "companion", name: FRIES.split(" "), amount } as const;
  const sides = fries && !hasFries ? [withFood(side, fries, 1)] : [];
  return [...parts.slice(0, at - 1), main, ...sides, ...after];
}

/** The fast food that is named before "meal". */
function findFastFood(said: readonly string[], index: FoodIndex): Food | undefined {
  const at = said.findIndex((word) => COMBOS.has(word));
  const food = index.findByName(said.slice(0, at).join(" "));
  const isFast = food?.name.split(" ").some((word) => LISTS.fastFoods.has(singular(word)));
  return isFast ? food : undefined;
}

/** Resolves "chips": fries beside fish or steak, tortilla chips beside salsa, otherwise potato chips. */
export function resolveChips(parts: readonly ReadPart[], index: FoodIndex): readonly ReadPart[] {
  return parts.map((part) => {
    const others = parts.filter((other) => other !== part).flatMap(({ name }) => name);
    const food = index.findByName(nameMeant(part, others) ?? "");
    return food ? withFood(part, food, 0.95) : part;
  });
}

function nameMeant({ name, amount }: ReadPart, others: readonly string[]): string | undefined {
  const text = name.join(" ");
  if (["fry", FRIES].includes(text) && amount.size) return "fast food fry";
  if (text !== "chip") return undefined;
  if (others.some((word) => LISTS.withTortillaChips.has(word))) return "tortilla chip";
  return others.some((word) => LISTS.withFries.has(word)) ? FRIES : undefined;
}
