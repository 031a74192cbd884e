import { median } from "../statistics.ts";

/** Maximum milliseconds of one line, as the median and for 99 of 100, and of a call as the median. */
export const LINE_P50_MAX_MS = 5;
export const LINE_P99_MAX_MS = 25;
export const CALL_P50_MAX_MS = 40;
/** Maximum number of lines of one call. */
const CALL_LINES = 12;
const P99 = 0.99;

/** Milliseconds of one estimate of one line, and of the 12 lines of a call. */
export interface Speed {
  readonly lineP50Ms: number;
  readonly lineP99Ms: number;
  readonly callP50Ms: number;
  readonly callP99Ms: number;
}

/** Times `estimate` on each line `rounds` times, in order, after one uncounted round. */
export function measureSpeed(
  lines: readonly string[],
  rounds: number,
  estimate: (line: string) => unknown,
): Speed {
  lines.forEach(estimate);
  const lineMs: number[] = [];
  const callMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at + CALL_LINES <= lines.length; at += CALL_LINES) {
      const times = lines.slice(at, at + CALL_LINES).map((line) => timeOf(() => estimate(line)));
      lineMs.push(...times);
      callMs.push(times.reduce((total, time) => total + time, 0));
    }
  }
  return {
    lineP50Ms: median(lineMs),
    lineP99Ms: quantile(lineMs, P99),
    callP50Ms: median(callMs),
    callP99Ms: quantile(callMs, P99),
  };
}

function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}
