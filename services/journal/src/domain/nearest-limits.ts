/** What a limit is for. */
export type LimitRole = "cooldown" | "writes" | "lines" | "failed_analyses";

/** How much a periodic limit still allows. */
export interface RemainingLimit {
  name: string;
  /** Undefined for a role that this version does not know. */
  role: LimitRole | undefined;
  max: number;
  windowSeconds: number;
  remaining: number;
}

/** The roles of limits that a person can come near to. */
const NEARED: readonly LimitRole[] = ["writes", "lines"];

/**
 * The limit of each role that allows the least more, as JSON text: what an assistant has to know so
 * that it does not run into one.
 */
export function nearestLimits(left: readonly RemainingLimit[]): string | undefined {
  const nearest = NEARED.flatMap((role) => {
    const [first] = left
      .filter((limit) => limit.role === role)
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
