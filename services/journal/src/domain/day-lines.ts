import type { WriteRefusal } from "./write-refusal.ts";

/** Maximum number of live lines of a day: more than anyone eats, and every read loads the whole day. */
export const DAY_LINES_MAX = 200;

/** Refuses lines that do not fit into a day that has `live` lines already. */
export function dayLinesRefusal(
  date: string,
  { live, added }: { live: number; added: number },
): WriteRefusal | undefined {
  const requested = live + added;
  if (requested <= DAY_LINES_MAX) return undefined;
  return {
    code: "limit_exceeded",
    field: "food_text",
    message: `${date} has ${live} lines already, and a day holds at most ${DAY_LINES_MAX}. Merge or delete lines of that day first, or log the food on the day it was eaten.`,
    limit: { name: "day_lines", max: DAY_LINES_MAX, requested },
  };
}
