import { expect, test } from "vitest";

import type { Round } from "../rounds.ts";
import { compare, tableOf } from "./report.ts";

function rounds(requestsPerSecond: number): Round[] {
  const figures = { answers: 10, p50Ms: 1, p99Ms: 2, totalMicros: 900, micros: { gateway: 300 } };
  return [{ ...figures, requestsPerSecond }];
}

test("the report compares the rate of tool calls with that of reads", () => {
  const measured = { rest: rounds(1_000), call: rounds(750), list: rounds(2_000) };
  const conditions = { rounds: 1, seconds: 2, connections: 3 };
  const report = compare(conditions, {
    ...measured,
    toolListMicros: 12.34,
    handlers: { ours: 41, sdk: 301 },
  });
  expect(report).toMatchObject({ ratio: 0.75, ratioMin: 0.85, toolListMicrosMax: 100 });
  expect(tableOf(report)).toContain("0.75; must be at least 0.85");
  expect(tableOf(report)).toContain("12.3 µs");
  expect(tableOf(report)).toContain("41 µs of CPU in our dispatcher, 301 µs in the SDK's");
});
