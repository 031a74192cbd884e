import { describe, expect, test } from "vitest";

import { reportOf as soakReportOf } from "../soak/report.ts";
import { plansOf } from "./plans.ts";
import { reportOf, tableOf } from "./report.ts";
import type { Measured } from "./report.ts";

const LOG = [
  "2026-11-22 19:00:00 UTC [7] LOG:  duration: 0.1 ms  plan:",
  "\t{",
  '\t  "Query Text": "select 1\\n  from items",',
  '\t  "Plan": { "Node Type": "Limit", "Actual Rows": 1, "Actual Loops": 1, "Plans": [',
  '\t    { "Node Type": "Seq Scan", "Relation Name": "items", "Actual Rows": 2.00, "Actual Loops": 3,',
  '\t      "Rows Removed by Filter": 40 } ] }',
  "\t}",
  "2026-11-22 19:00:00 UTC [7] LOG:  something else",
  "",
].join("\n");

test("plans are read from PostgreSQL's log, with the rows that a condition removed", () => {
  const [plan, ...others] = plansOf(LOG + LOG);
  expect(plan).toEqual({
    statement: "select 1 from items",
    runs: 2,
    rows: 126,
    scanned: ["items"],
  });
  expect(others).toEqual([]);
});

describe("the report on many people", () => {
  const round = (totalMicros: number) => {
    return { answers: 1, requestsPerSecond: 1, p50Ms: 1, p99Ms: 1, totalMicros, micros: {} };
  };
  const measured: Measured = {
    options: { rounds: 1, seconds: 1, connections: 1 },
    databases: [],
    reads: [{ read: "summary", small: [round(100)], large: [round(130)] }],
    rights: { "a year": [{ name: "export", cpuMs: 1_000, elapsedMs: 3_000 }] },
    plans: plansOf(LOG),
    isLarge: () => false,
  };

  test("accepts up to 1.3 times the cost and a second of work", () => {
    expect(reportOf(measured)).toMatchObject({ isGood: true, bad: [] });
    expect(tableOf(reportOf(measured))).toContain("| summary | 100 (PostgreSQL 0) |");
  });

  test("is not good with a large table read as a whole, a slower read or more work", () => {
    const worse: Partial<Measured>[] = [
      { isLarge: (table) => table === "items" },
      { reads: [{ read: "summary", small: [round(100)], large: [round(131)] }] },
      { rights: { "a year": [{ name: "erase", cpuMs: 1_001, elapsedMs: 1 }] } },
    ];
    for (const change of worse) expect(reportOf({ ...measured, ...change }).isGood).toBe(false);
  });
});

describe("the report on memory", () => {
  const sample = (minute: number, mebibytes: number) => {
    return { minute, bytes: { gateway: mebibytes * 2 ** 20, "launcher, PostgreSQL": 2 ** 28 } };
  };

  test("bounds each service, everything together, and the growth after ten minutes", () => {
    const isGood = (minutes: number, ...samples: ReturnType<typeof sample>[]) =>
      soakReportOf({ minutes, answers: 1, failures: 0 }, samples).isGood;
    expect(isGood(10, sample(5, 100), sample(10, 160))).toBe(true);
    expect(isGood(10, sample(10, 161))).toBe(false);
    expect(isGood(60, sample(10, 100), sample(60, 117))).toBe(true);
    expect(isGood(60, sample(10, 100), sample(60, 120))).toBe(false);
  });

  test("is not good with more than one failure in a thousand requests", () => {
    const isGood = (failures: number) =>
      soakReportOf({ minutes: 10, answers: 10_000, failures }, [sample(10, 100)]).isGood;
    expect([10, 11].map(isGood)).toEqual([true, false]);
  });
});
