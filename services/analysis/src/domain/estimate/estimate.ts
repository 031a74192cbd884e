import type { Food } from "../foods/food.ts";
import { addNutrients, NO_NUTRIENTS, scaleNutrients } from "../foods/nutrients.ts";
import type { Nutrients } from "../foods/nutrients.ts";

/** A food that an estimate counts. */
export interface Component {
  /** The words of the line that name it. */
  readonly text: string;
  readonly foodName: string;
  readonly reference: string;
  readonly grams: number;
  /** Energy in kcal. */
  readonly calories: number;
}

/** Where the figures of a line come from. */
export type Provenance = "food_table" | "model" | "user_memory" | "stated";

/** The nutrition of one line. */
export interface Estimate {
  readonly kind: "estimate";
  readonly nutrients: Nutrients;
  /** Volume of a line that is plain water and nothing else; 0 for any other line. */
  readonly waterMilliliters: number;
  /** 0 to 1, from the evidence for the foods and their portions. */
  readonly confidence: number;
  /** What was assumed, in one sentence; empty when nothing was. */
  readonly comment: string;
  readonly provenance: Provenance;
  readonly components: readonly Component[];
}

/** Why a line cannot be estimated. */
export interface CannotTell {
  readonly kind: "cannot_tell";
  /** One sentence that says what to change. */
  readonly message: string;
}

export type LineResult = Estimate | CannotTell;

export function cannotTell(message: string): CannotTell {
  return { kind: "cannot_tell", message };
}

/** The result with a note before its comment, and with less confidence if `trust` is below 1. */
export function withNote(result: LineResult, note: string, trust = 1): LineResult {
  if (result.kind === "cannot_tell") return result;
  const comment = `${note} ${result.comment}`.trim();
  return { ...result, comment, confidence: result.confidence * trust };
}

/** A food of a table, a label or a model's answer, and how much of it was eaten. */
export interface EatenFood {
  readonly text: string;
  readonly food: Pick<Food, "name" | "reference" | "kind" | "per100Grams" | "gramsPerMilliliter">;
  readonly grams: number;
}

/** What foods have together; `factor` shifts the nutrients, but not the components. */
export function totalOf(
  foods: readonly EatenFood[],
  factor: number,
): Pick<Estimate, "nutrients" | "waterMilliliters" | "components"> {
  const nutrients = foods
    .map(({ food, grams }) => scaleNutrients(food.per100Grams, grams / 100))
    .reduce(addNutrients, NO_NUTRIENTS);
  const volumes = foods.map(({ food, grams }) => grams / (food.gramsPerMilliliter ?? 1));
  const isWater = foods.every(({ food }) => food.kind === "water");
  return {
    nutrients: scaleNutrients(nutrients, factor),
    waterMilliliters: isWater ? volumes.reduce((total, volume) => total + volume, 0) : 0,
    components: foods.map(({ text, food, grams }) => ({
      text,
      foodName: food.name,
      reference: food.reference,
      grams,
      calories: (food.per100Grams.calories * grams) / 100,
    })),
  };
}
