import { addDays } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";

import { englishIn } from "./locale.ts";

const MINUTE_MS = 60_000;
const relative = new Intl.RelativeTimeFormat("en");
const LONG_DAY = { dateStyle: "full", timeZone: "UTC" } as const;
const SHORT_DAY = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
const PLAIN_DAY = { dateStyle: "long", timeZone: "UTC" } as const;
const DEFAULT_LOCALE = "en-GB";

/** Units of relative time. Each is `minutes` long and applies to distances below `below` minutes. */
const STEPS = [
  { unit: "minute", minutes: 1, below: 60 },
  { unit: "hour", minutes: 60, below: 1_440 },
  { unit: "day", minutes: 1_440, below: 144_000 },
  { unit: "month", minutes: 43_200, below: 525_600 },
  { unit: "year", minutes: 525_600, below: Infinity },
] as const;

/**
 * Formats the rounded distance of `moment` from `now`, such as `3 days ago`. Days are used up to a
 * hundred.
 */
export function relativeTime(moment: Date, now: Date): string {
  const minutes = Math.round((moment.getTime() - now.getTime()) / MINUTE_MS);
  if (minutes === 0) return "just now";
  const step = STEPS.find(({ below }) => Math.abs(minutes) < below)!;
  return relative.format(Math.round(minutes / step.minutes), step.unit);
}

/** Formats date and time in the zone, such as `20 Nov 2026, 14:05`, in the order of the locale. */
export function exactTime(moment: Date, timeZone: string, locale = DEFAULT_LOCALE): string {
  const parts = { dateStyle: "medium", timeStyle: "short", timeZone } as const;
  return moment.toLocaleString(englishIn(locale), parts);
}

/** `Friday 20 November 2026`, in the order of the locale. */
export function longDate(date: CivilDate, locale = DEFAULT_LOCALE): string {
  return dayIn(date, englishIn(locale), LONG_DAY);
}

/** `Fri 20 Nov`, in the order of the locale. */
export function shortDate(date: CivilDate, locale = DEFAULT_LOCALE): string {
  return dayIn(date, englishIn(locale), SHORT_DAY);
}

/** British English does without the comma that most others need between weekday, day and year. */
function dayIn(date: CivilDate, locale: string, parts: Intl.DateTimeFormatOptions): string {
  const text = noonUtc(date).toLocaleDateString(locale, parts);
  return locale === DEFAULT_LOCALE ? text.replaceAll(",", "") : text;
}

/** `20 November 2026`, for sentences in English. */
export function plainDate(date: CivilDate): string {
  return noonUtc(date).toLocaleDateString(DEFAULT_LOCALE, PLAIN_DAY);
}

/** Name of a day near `today`, such as yesterday; undefined for other days. */
export function dayNearby(date: CivilDate, today: CivilDate): string | undefined {
  const names = {
    [addDays(today, -1)]: "Yesterday",
    [today]: "Today",
    [addDays(today, 1)]: "Tomorrow",
  };
  return names[date];
}

/**
 * The moment when clocks in the zone show `hour` on that day. If that hour is skipped or repeated,
 * the result is within about an hour of it.
 */
export function momentOf(date: CivilDate, hour: number, timeZone: string): Date {
  const wanted = Date.parse(`${date}T${String(hour).padStart(2, "0")}:00:00Z`);
  const first = wanted - offsetMs(new Date(wanted), timeZone);
  return new Date(wanted - offsetMs(new Date(first), timeZone));
}

/** Offset of the zone from UTC. */
function offsetMs(moment: Date, timeZone: string): number {
  const shown = moment.toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
  return Date.parse(`${shown}Z`) - Math.floor(moment.getTime() / 1_000) * 1_000;
}

function noonUtc(date: CivilDate): Date {
  return new Date(`${date}T12:00:00Z`);
}
