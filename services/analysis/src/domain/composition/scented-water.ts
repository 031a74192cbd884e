import type { FoundFood } from "./read-part.ts";
import { words } from "../text/words.ts";

/** Flavorings served in plain water, with negligible energy. */
const AROMAS: ReadonlySet<string> = new Set([
  ...words("lemon lime orange cucumber ice mint"),
  "lemon juice",
  "lime juice",
  "fresh basil",
]);
/** Maximum grams of a flavoring, as of a slice or a squeeze; more is counted as food. */
const STATED_GRAMS_MAX = 15;
const UNSAID_GRAMS_MAX = 60;

/** Water with a slice of lemon, lime, orange or cucumber, a leaf of mint or ice is the water alone. */
export function withoutAromas(foods: readonly FoundFood[]): readonly FoundFood[] {
  const [main, ...rest] = foods;
  if (main?.match.food.kind !== "water") return foods;
  const isAroma = ({ match, weight, amount }: FoundFood) =>
    AROMAS.has(match.food.name) &&
    weight.grams <= (amount.counted ? STATED_GRAMS_MAX : UNSAID_GRAMS_MAX);
  return rest.every(isAroma) ? [main] : foods;
}
