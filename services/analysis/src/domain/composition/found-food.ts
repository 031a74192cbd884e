import type { Amount } from "../segmentation/amount.ts";
import type { FoodMatch } from "../matching/food-index.ts";
import type { PortionWeight } from "../portions/portion-assumption.ts";

/** A food found in a line, with what it weighs. */
export interface FoundFood {
  readonly text: string;
  readonly match: FoodMatch;
  readonly amount: Amount;
  readonly weight: PortionWeight;
}
