/** How much a periodic limit still allows. */
export interface LimitLeft {
  name: string;
  max: number;
  windowSeconds: number;
  remaining: number;
}

/** How the names of the limits begin that a person can come near to, by what they count. */
const COUNTS = ["mutations-", "lines-"];

/**
 * The limit of each kind that allows the least more, as JSON text: what an assistant has to know so
 * that it does not run into one.
 */
export function nearestLimits(left: readonly LimitLeft[]): string | undefined {
  const nearest = COUNTS.flatMap((prefix) => {
    const [first] = left
      .filter(({ name }) => name.startsWith(prefix))
      .toSorted((one, other) => one.remaining - other.remaining);
    return first ? [first] : [];
  });
  if (nearest.length === 0) return undefined;
  return JSON.stringify(
    nearest.map(({ name, max, windowSeconds, remaining }) => {
      return { name, max, window_seconds: windowSeconds, remaining };
    }),
  );
}
