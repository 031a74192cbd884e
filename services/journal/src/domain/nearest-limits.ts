/** Purpose of a limit. */
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

/** Roles whose limits fill up gradually; a cooldown is either over or not. */
const REPORTED_ROLES: readonly LimitRole[] = ["writes", "lines"];

/**
 * The limit of each reported role with the least remaining, as JSON text, so that an assistant can slow down
 * before it is refused.
 */
export function nearestLimits(left: readonly RemainingLimit[]): string | undefined {
  const nearest = REPORTED_ROLES.flatMap((role) => {
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
