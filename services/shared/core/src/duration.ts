const UNITS = [
  { name: "day", seconds: 86_400 },
  { name: "hour", seconds: 3_600 },
  { name: "minute", seconds: 60 },
] as const;

/**
 * Formats a waiting time in the largest unit of which it has at least two, such as `90 minutes`.
 * Rounds up, so that waiting that long is always enough.
 */
export function formatDuration(seconds: number): string {
  const unit = UNITS.find((each) => seconds >= 2 * each.seconds) ?? { name: "second", seconds: 1 };
  const count = Math.ceil(seconds / unit.seconds);
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}

/**
 * Formats the length of a window in the largest unit that expresses it exactly, such as `10
 * minutes`.
 */
export function formatWindow(seconds: number): string {
  const unit = UNITS.find((each) => seconds % each.seconds === 0);
  const count = unit ? seconds / unit.seconds : seconds;
  return `${count} ${unit?.name ?? "second"}${count === 1 ? "" : "s"}`;
}
