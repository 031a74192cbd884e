import { addDays } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";

const DAY_MS = 86_400_000;
/** Maximum number of days that are drawn one by one; more would be too narrow. */
const DRAWN_MAX = 400;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** A tool's list of days, newest first. */
export interface DayList<Entry extends { readonly date: CivilDate }> {
  readonly entries: readonly Entry[];
  readonly limit: number;
  readonly next_end_date?: CivilDate;
}

export interface RangeDay<Entry> {
  readonly date: CivilDate;
  /** Undefined for a day without a log. */
  readonly entry: Entry | undefined;
}

/**
 * Every day of the range that the list covers, oldest first. The range is the requested one, limited to the
 * days that the list covers and to today; without a request, it spans the listed days.
 */
export function daysOfRange<Entry extends { readonly date: CivilDate }>(
  { entries, limit, next_end_date }: DayList<Entry>,
  asked: { readonly start?: CivilDate | undefined; readonly end?: CivilDate | undefined },
  today: CivilDate,
): RangeDay<Entry>[] {
  const oldest = entries.at(-1);
  const newest = entries[0];
  if (!oldest || !newest) return [];
  const isWhole = entries.length < limit && next_end_date === undefined;
  const first = isWhole && asked.start !== undefined ? asked.start : oldest.date;
  const wantedEnd = asked.end ?? newest.date;
  const last = [newest.date, wantedEnd < today ? wantedEnd : today].toSorted().at(-1)!;
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  const byDate = new Map(entries.map((entry) => [entry.date, entry]));
  if (!(count <= DRAWN_MAX)) {
    return entries.toReversed().map((entry) => ({ date: entry.date, entry }));
  }
  return Array.from({ length: count }, (_, index) => {
    const date = addDays(first, index);
    return { date, entry: byDate.get(date) };
  });
}

/** Averages by weekday, Monday first; undefined for weekdays without a day. */
export function weekdayAverages(
  days: readonly { readonly date: CivilDate; readonly value: number }[],
): { readonly weekday: string; readonly average: number | undefined }[] {
  return WEEKDAYS.map((weekday, index) => {
    const values = days.filter(({ date }) => weekdayOf(date) === index).map(({ value }) => value);
    const sum = values.reduce((total, value) => total + value, 0);
    return { weekday, average: values.length === 0 ? undefined : sum / values.length };
  });
}

/** 0 for Monday. */
function weekdayOf(date: CivilDate): number {
  return (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;
}
