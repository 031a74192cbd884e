import type { Amount } from "../segmentation/amount.ts";
import type { FoodMatch } from "../matching/food-names.ts";
import type { LinePart } from "../segmentation/parsed-line.ts";
import type { PortionWeight } from "../portions/measured-weight.ts";

/** One food of a line, and the food of the table that it was matched with. */
export interface ReadPart {
  readonly part: LinePart;
  /** The words without the amount. */
  readonly name: readonly string[];
  readonly amount: Amount;
  readonly match: FoodMatch | undefined;
}

/** Whether the part states an amount. */
export function hasAmount({ amount }: Pick<ReadPart, "amount">): boolean {
  return amount.counted || amount.measure !== undefined || amount.size !== undefined;
}

/** A matched food of a line with its weight. */
export interface FoundFood {
  readonly text: string;
  readonly match: FoodMatch;
  readonly amount: Amount;
  readonly weight: PortionWeight;
}
