import { expect, test } from "vitest";

import type { Round } from "../rounds.ts";
import { compare, tableOf } from "./report.ts";

/** Rounds of which each took this CPU time per request, on two cores. */
function rounds(...micros: number[]): Round[] {
  return micros.map((totalMicros) => {
    const figures = { answers: 10, p50Ms: 1, p99Ms: 2, micros: { gateway: 300 } };
    return { ...figures, totalMicros, requestsPerSecond: 2_000_000 / (totalMicros + 100) };
  });
}

test("the report compares tool calls with the reads of the same round", () => {
  const measured = {
    rest: rounds(300, 900, 600),
    call: rounds(400, 1_200, 700),
    list: rounds(100, 100, 100),
  };
  const conditions = { rounds: 3, seconds: 2, connections: 3 };
  const report = compare(conditions, {
    ...measured,
    toolListMicros: 12.34,
    handlers: { ours: 41, sdk: 301 },
  });
  expect(report).toMatchObject({ ratioMin: 0.85, toolListMicrosMax: 100 });
  // The cube root of 0.75 * 0.75 * 6/7.
  expect(report.ratio).toBeCloseTo(0.7841, 4);
  expect(tableOf(report)).toContain(
    "0.78 (standard error 0.03); must be at least 0.85. By rate: 0.81",
  );
  expect(tableOf(report)).toContain("12.3 µs");
  expect(tableOf(report)).toContain("41 µs of CPU in our dispatcher, 301 µs in the SDK's");
});
