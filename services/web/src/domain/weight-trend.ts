import type { CivilDate } from "@nutrition/core/civil-date";

const DAY_MS = 86_400_000;
const DAYS_IN_A_WEEK = 7;
/**
 * Weight of yesterday's trend in today's: an exponential average with a half-life of 6.6 days, as in Walker's
 * Hacker's Diet. Water and salt change a weight by a kilogram from day to day; the trend shows about a
 * quarter of that.
 */
const KEPT_A_DAY = 0.9;

/** A weight of a day with the trend at that day, in kilograms. */
export interface TrendPoint {
  readonly date: CivilDate;
  readonly weightKg: number;
  readonly trendKg: number;
}

/** Smooths weights, one a day and oldest first. The longer the gap before a weight, the more it counts. */
export function weightTrend(
  weights: readonly { date: CivilDate; weightKg: number }[],
): TrendPoint[] {
  let trendKg: number | undefined;
  let before: CivilDate | undefined;
  return weights.map(({ date, weightKg }) => {
    const kept = before === undefined ? 0 : KEPT_A_DAY ** daysBetween(before, date);
    trendKg = weightKg + ((trendKg ?? weightKg) - weightKg) * kept;
    before = date;
    return { date, weightKg, trendKg };
  });
}

/** Change of the trend per week in kilograms; undefined over less than a week. */
export function weeklyChange(points: readonly TrendPoint[]): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return undefined;
  const days = daysBetween(first.date, last.date);
  if (days < DAYS_IN_A_WEEK) return undefined;
  return ((last.trendKg - first.trendKg) / days) * DAYS_IN_A_WEEK;
}

function daysBetween(first: CivilDate, last: CivilDate): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS;
}
