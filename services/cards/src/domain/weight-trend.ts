const DAY_MS = 86_400_000;
/**
 * Share of the distance between weight and trend by which the trend moves each day, as in The Hacker's Diet.
 */
const DAILY_SHARE = 0.1;

export interface Measurement {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kilograms: number;
}

export interface TrendPoint extends Measurement {
  /** Smoothed weight, in kilograms. */
  readonly trend: number;
}

/**
 * Smooths measurements, oldest first, with an exponentially weighted mean that accounts for the days between
 * them.
 */
export function smoothWeights(measurements: readonly Measurement[]): TrendPoint[] {
  let last: TrendPoint | undefined;
  return measurements.map((measurement) => {
    const days = last === undefined ? 0 : Math.max(0, (measurement.at - last.at) / DAY_MS);
    const kept = (1 - DAILY_SHARE) ** days;
    const before = last?.trend ?? measurement.kilograms;
    last = { ...measurement, trend: kept * before + (1 - kept) * measurement.kilograms };
    return last;
  });
}
