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
  /** Whether the line is plain water and nothing else. */
  readonly isWater: boolean;
  /** Volume of plain water; 0 for anything else. */
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
