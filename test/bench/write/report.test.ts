import { expect, test } from "vitest";

import { reportOf, tableOf } from "./report.ts";

const measured = {
  counted: { writes: 4, traffic: { journal: { statements: 42, roundTrips: 20 } } },
  median: {
    answers: 4,
    requestsPerSecond: 50,
    p50Ms: 20,
    p99Ms: 40,
    totalMicros: 9_000,
    micros: { journal: 9_000 },
  },
  writes: 8,
  stored: 8,
};

test("shows the statements and round trips of one write", () => {
  expect(tableOf(reportOf(measured))).toContain("| journal | 10.5 | 5.0 |");
});

test("is not good unless every answered write is stored once", () => {
  expect([8, 7, 9].map((stored) => reportOf({ ...measured, stored }).isGood)).toEqual([
    true,
    false,
    false,
  ]);
});
