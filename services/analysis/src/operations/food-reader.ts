import type { LineResult, Provenance } from "../domain/estimate/estimate.ts";
import type { RememberedItem } from "../domain/estimate/own-figures.ts";
import type { Food, Nutrients } from "../domain/foods/food.ts";
import type { ImportedFood } from "../domain/foods/imported-food.ts";
import type { Ranked } from "../domain/matching/search-queries.ts";
import type { LineQuestion } from "../model/chat-messages.ts";

export type { LineResult, Provenance };

/** In place of the number of a line: work that concerns all lines of a call. */
export const ALL_LINES = -1;

/** The lines of one call, with what was said about all of them. */
export interface LinesToRead {
  readonly lines: readonly string[];
  readonly details: string;
  readonly correction: string;
  /** Factor for estimated figures; never applied to exact ones. */
  readonly biasFactor: number;
  readonly remembered: readonly RememberedItem[];
  /** Whether a model is asked about the lines that it may improve. */
  readonly hasModel: boolean;
}

/** A line that a model may improve. */
export interface OpenLine {
  readonly at: number;
  readonly question: LineQuestion;
}

/** What the food tables say about each line, in order. */
export interface ReadLines {
  readonly results: readonly LineResult[];
  /** The part of the details that concerns each line. */
  readonly details: readonly string[];
  /** The meal or time of day that each line or its details state; empty for none. */
  readonly occasions: readonly string[];
  /** Without a model, none. */
  readonly open: readonly OpenLine[];
}

/** A food of any table, with a score that is comparable within one search. */
export type FoundFood = Ranked<Food | ImportedFood>;

/** One food of a line, and why it was taken. */
export interface ExplainedPart {
  readonly text: string;
  /** The amount that was read, such as "2 × slice"; empty for none. */
  readonly amount: string;
  readonly food: Food;
  readonly grams: number;
  readonly assumption: string;
  readonly nutrients: Nutrients;
  readonly matchConfidence: number;
  readonly portionConfidence: number;
  readonly alternatives: readonly FoundFood[];
}

export interface ExplainedLine {
  readonly result: LineResult;
  readonly occasion: string;
  readonly parts: readonly ExplainedPart[];
  readonly unknown: readonly string[];
}

/** Reading stopped, because these lines (or the only text, 0) took more CPU time than any may. */
export interface Costly {
  readonly costly: readonly number[];
}

/** Whose call it is, and when it ends. */
export interface ReaderContext {
  /** Calls of one account, or of one service without a user, take turns with those of others. */
  readonly turn: string;
  readonly signal: AbortSignal;
}

/**
 * Reads food text with the tables that ship with the service and the imported ones. All methods reject with
 * `unavailable` while the reader cannot run.
 */
export interface FoodReader {
  readLines(asked: LinesToRead, context: ReaderContext): Promise<ReadLines | Costly>;
  explainLine(line: string, context: ReaderContext): Promise<ExplainedLine | Costly>;
  searchFoods(
    query: { readonly text: string; readonly limit: number },
    context: ReaderContext,
  ): Promise<readonly FoundFood[] | Costly>;
}
