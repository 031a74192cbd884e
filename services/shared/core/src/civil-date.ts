/** A civil day, `YYYY-MM-DD`, without a time or time zone. */
export type CivilDate = string;

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Whether `text` is an existing day from 0001-01-01 to 9999-12-31 in the proleptic Gregorian
 * calendar.
 */
export function isCivilDate(text: string): text is CivilDate {
  const parts = SHAPE.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** The day `days` after `date`; negative values go back. */
export function addDays(date: CivilDate, days: number): CivilDate {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Whether `name` is a zone of the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  return formatterOf(name) !== undefined;
}

/** The civil day of `moment` in an existing time zone. */
export function civilDateIn(timeZone: string, moment: Date): CivilDate {
  const formatter = formatterOf(timeZone);
  if (!formatter) throw new RangeError(`No such time zone: ${timeZone}`);
  const parts = Object.fromEntries(formatter.formatToParts(moment).map((p) => [p.type, p.value]));
  return `${parts["year"]?.padStart(4, "0")}-${parts["month"]}-${parts["day"]}`;
}

/**
 * The offset of an existing time zone from UTC at each of the moments, in seconds. Costs as much as some
 * hundred calls of `civilDateIn`.
 */
export function offsetsOf(timeZone: string, moments: readonly Date[]): number[] {
  const formatter = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  return moments.map((moment) => {
    const name = formatter.formatToParts(moment).find(({ type }) => type === "timeZoneName");
    const [, sign, ...parts] = OFFSET.exec(name?.value ?? "") ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
    return (sign === "-" ? -1 : 1) * (hours * 3_600 + minutes * 60 + seconds);
  });
}

/** Such as GMT-03:30; plain GMT is an offset of 0. */
const OFFSET = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

// Creating a formatter costs about 30 µs and there are some 600 zones, so all are kept.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const cached = formatters.get(timeZone);
  if (cached) return cached;
  // Intl accepts offsets such as "+02:00", but they are not zones: they have no daylight saving.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(timeZone)) return undefined;
  try {
    const formatter = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      calendar: "iso8601",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    // Intl ignores case, the database does not: only canonical spelling bounds this map.
    if (formatters.size < 1_000) formatters.set(timeZone, formatter);
    return formatter;
  } catch {
    return undefined;
  }
}
