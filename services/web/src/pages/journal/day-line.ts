import type { CivilDate } from "@nutrition/core/civil-date";

import type { FoodItem } from "../../clients/journal-documents.ts";

/** An item with its place in the day. */
export interface DayLine {
  readonly id: string;
  readonly item: FoodItem;
  /** Position among the day's lines, from 1. */
  readonly line: number;
  readonly date: CivilDate;
}
