import type { CivilDate } from "@nutrition/core/civil-date";

const DAY_MS = 86_400_000;

/**
 * Formats a day relative to today, such as `today in Europe/Berlin` or `365 days after today in
 * Europe/Berlin`, so that a wrong month or year is noticed.
 */
export function formatRelativeDate(
  date: CivilDate,
  { today, timezone }: { today: CivilDate; timezone: string },
): string {
  const days = (Date.parse(date) - Date.parse(today)) / DAY_MS;
  const here = `today in ${timezone}`;
  if (days === 0) return here;
  const distance = Math.abs(days) === 1 ? "1 day" : `${Math.abs(days)} days`;
  return `${distance} ${days < 0 ? "before" : "after"} ${here}`;
}
