import type { FoundFood } from "./read-part.ts";
import { weighPortion } from "../portions/portion-weight.ts";
import { hasAmount } from "./read-part.ts";
import { words } from "../text/words.ts";

/** Flavorings served in plain water, with negligible energy. */
const AROMAS: ReadonlySet<string> = new Set([
  ...words("lemon lime orange cucumber ice"),
  "lemon juice",
  "lime juice",
  "fresh basil",
  "mint",
]);
/** Maximum grams of a flavoring, as of a slice or a squeeze; more is counted as food. */
const AROMA_GRAMS_MAX = 15;
const UNSAID_GRAMS_MAX = 60;

/**
 * Water with a slice of lemon, lime, orange or cucumber, a leaf of mint or ice is the water alone; any
 * other foods stay as they are.
 */
export function withoutAromas(foods: readonly FoundFood[]): readonly FoundFood[] {
  const [main, ...rest] = foods;
  if (main?.match.food.kind !== "water") return foods;
  const volume = hasAmount(main) ? undefined : rest.find(isVolumeOfWater);
  const isScented = rest.every((found) => found === volume || isAroma(found));
  if (!isScented) return foods;
  return [volume ? { ...main, amount: volume.amount, weight: inWater(volume, main) } : main];
}

/** "Water with lime 500 ml": the amount is the water's. */
function isVolumeOfWater({ match, amount }: FoundFood): boolean {
  const isSlice = AROMAS.has(match.food.name) && match.food.kind === "food";
  return isSlice && amount.measure?.kind === "volume";
}

function inWater({ amount }: FoundFood, { match }: FoundFood): FoundFood["weight"] {
  return weighPortion(match.food, amount, { role: "main", main: undefined });
}

function isAroma({ match, weight, amount }: FoundFood): boolean {
  if (!AROMAS.has(match.food.name)) return false;
  return weight.grams <= (amount.counted ? AROMA_GRAMS_MAX : UNSAID_GRAMS_MAX);
}
