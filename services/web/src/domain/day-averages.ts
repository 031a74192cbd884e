import { addDays } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";

/** Figures of a day by nutrient. */
type Figures<Nutrient extends string> = Readonly<Record<Nutrient, number>>;

/** Totals of a day with food. */
export interface LoggedDay<Nutrient extends string> {
  readonly date: CivilDate;
  readonly totals: Figures<Nutrient>;
}

/** Averages over the days with food of a range. */
export interface DayAverages<Nutrient extends string> {
  /** Length of the range. */
  readonly days: number;
  /** Days of it with food. */
  readonly loggedDays: number;
  /** Undefined when no day has food. */
  readonly means: Figures<Nutrient> | undefined;
}

/**
 * Averages the `days` days before `today`. Excludes today, because it is incomplete, and days without food,
 * because they may only not have been logged.
 */
export function averageDays<Nutrient extends string>(
  totals: readonly LoggedDay<Nutrient>[],
  { today, days }: { today: CivilDate; days: number },
): DayAverages<Nutrient> {
  const first = addDays(today, -days);
  const logged = totals.filter(({ date }) => date >= first && date < today);
  return { days, loggedDays: logged.length, means: meansOf(logged) };
}

/** Mean of each weekday, Monday first, of the days before `today`. */
export function averageWeekdays<Nutrient extends string>(
  totals: readonly LoggedDay<Nutrient>[],
  today: CivilDate,
): (Figures<Nutrient> | undefined)[] {
  const past = totals.filter(({ date }) => date < today);
  const byWeekday = Map.groupBy(past, ({ date }) => weekdayOf(date));
  return Array.from({ length: 7 }, (_, weekday) => meansOf(byWeekday.get(weekday) ?? []));
}

/** Consecutive days with food, up to today. Today may still be empty without ending the streak. */
export function loggingStreak(
  totals: readonly { readonly date: CivilDate }[],
  today: CivilDate,
): number {
  const logged = new Set(totals.map(({ date }) => date));
  let day = logged.has(today) ? today : addDays(today, -1);
  let length = 0;
  for (; logged.has(day); day = addDays(day, -1)) length += 1;
  return length;
}

function meansOf<Nutrient extends string>(
  days: readonly LoggedDay<Nutrient>[],
): Figures<Nutrient> | undefined {
  const [first] = days;
  if (!first) return undefined;
  const names = Object.keys(first.totals) as Nutrient[];
  const mean = (name: Nutrient) =>
    days.reduce((sum, { totals }) => sum + totals[name], 0) / days.length;
  return Object.fromEntries(names.map((name) => [name, mean(name)])) as Figures<Nutrient>;
}

/** 0 for Monday to 6 for Sunday. */
function weekdayOf(date: CivilDate): number {
  return (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;
}
