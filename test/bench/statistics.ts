/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError("There are no values.");
  return (lower + upper) / 2;
}

/** The geometric mean of positive values, such as ratios, and its standard error, which is NaN for a single value. */
export function geometricMean(values: readonly number[]): { mean: number; standardError: number } {
  const logs = values.map(Math.log);
  const meanLog = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - meanLog) ** 2, 0);
  const mean = Math.exp(meanLog);
  // A small error of a logarithm is the relative error of the value.
  const relative = Math.sqrt(squares / (logs.length - 1) / logs.length);
  return { mean, standardError: mean * relative };
}

/** The quantile of `share`; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
