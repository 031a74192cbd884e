import type { DailyAmountKey, NutrientAmounts } from "@nutrition/core/nutrients";
import type { Units } from "@nutrition/core/units";

// The parts of the tools' structured results that cards show. The gateway's contract tests verify the
// documents, and the cards' tests draw real ones.

export type Totals = Readonly<Record<DailyAmountKey, number>>;
export type Goals = Readonly<Record<DailyAmountKey, number | null>>;

export interface FoodItem extends Readonly<NutrientAmounts> {
  readonly id: string;
  readonly description: string | null;
  readonly detailed_description: string | null;
  readonly is_water_entry: boolean;
  readonly water_milliliters: number;
  readonly ai_comment: string | null;
  readonly confidence_score: number | null;
}

/** A day's totals against its goals. */
export interface Day {
  readonly date: string;
  readonly totals: Totals;
  readonly goals: Goals | null;
}

export interface Summary extends Day {
  readonly entries: readonly { readonly items: readonly FoodItem[] }[];
}

/** Common members of every write's result. */
export interface Written extends Day {
  readonly duplicate: boolean;
}

export interface Logged extends Written {
  readonly items: readonly FoodItem[];
  /** Resolution of a relative day, such as `yesterday`. */
  readonly date_interpreted_as?: string;
}

/** Present after an edit, a merge or a deletion. */
export interface Changed extends Written {
  readonly item?: FoodItem;
  readonly previous_line?: string;
  readonly merged_lines?: readonly string[];
  readonly deleted_line?: string;
}

export interface DayEntry {
  readonly date: string;
  readonly timezone?: string | null;
  readonly totals: Totals;
  readonly items: readonly FoodItem[];
  readonly item_count?: number;
}

export interface Days {
  /** Newest first. */
  readonly entries: readonly DayEntry[];
  readonly limit: number;
  /** Set if the reply was full before the end of the range. */
  readonly next_end_date?: string;
}

export interface Weight {
  readonly weight_kg: number;
  readonly recorded_at: string | null;
  readonly recorded_date: string | null;
}

export interface Weights {
  /** Newest first. */
  readonly entries: readonly Weight[];
}

export interface Profile {
  readonly profile: {
    readonly name: string | null;
    readonly has_premium: boolean | null;
    readonly is_beta_tester: boolean | null;
  };
  readonly settings: {
    readonly nutrition_goals: Goals;
    readonly water: { readonly enabled: boolean; readonly unit: Units["water"] };
    readonly timezone: string;
    readonly calorie_estimation_bias: string | null;
  } | null;
}
