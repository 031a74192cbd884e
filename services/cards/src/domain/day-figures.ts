import { DAILY_AMOUNTS, byKey } from "@nutrition/core/nutrients";
import type { DailyAmountKey } from "@nutrition/core/nutrients";

type Totals = Readonly<Record<DailyAmountKey, number>>;
type Figures = Readonly<Record<DailyAmountKey, number | null>>;

/** Totals with an item's figures added `times` times; unknown figures add nothing. */
export function plusItem(totals: Totals, item: Figures, times: number): Totals {
  return byKey(DAILY_AMOUNTS, ({ key }) => {
    const sum = totals[key] + times * (item[key] ?? 0);
    return Math.max(0, Math.round(sum * 100) / 100);
  });
}

/** Averages of the days; undefined without days. */
export function averageOf(days: readonly Totals[]): Totals | undefined {
  if (days.length === 0) return undefined;
  return byKey(
    DAILY_AMOUNTS,
    ({ key }) => days.reduce((total, day) => total + day[key], 0) / days.length,
  );
}
