import { execFileSync } from "node:child_process";

import { describe, expect, test } from "vitest";

import { familyCpuMicros, parseStat } from "./cpu.ts";
import { chartOf } from "./edge/chart.ts";
import { reportOf, tableOf } from "./edge/report.ts";
import { parseCommand } from "./options.ts";
import type { Round } from "./rounds.ts";
import { medianRound } from "./rounds.ts";

function round(totalMicros: number, requestsPerSecond = 1_000): Round {
  const micros = { gateway: totalMicros };
  return { answers: 10, requestsPerSecond, p50Ms: 1, p99Ms: 2, totalMicros, micros };
}

describe("CPU time", () => {
  test("is read from a process whose name contains spaces and parentheses", () => {
    const text = "7 (a b) c) S 1 7 7 0 -1 4194560 100 0 0 0 12 34 5 6 20 0 1 0 99";
    expect(parseStat(text)).toEqual({ own: 460_000, reapedChildren: 110_000 });
  });

  test.runIf(process.platform === "linux")("includes that of ended child processes", () => {
    const before = familyCpuMicros(process.pid);
    execFileSync(process.execPath, [
      "-e",
      "const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);",
    ]);
    expect(familyCpuMicros(process.pid) - before).toBeGreaterThanOrEqual(250_000);
  });
});

describe("the report", () => {
  test("takes the median of each figure separately", () => {
    const median = medianRound([round(300, 10), round(100, 30), round(200, 50)]);
    expect(median).toMatchObject({
      totalMicros: 200,
      requestsPerSecond: 30,
      micros: { gateway: 200 },
    });
  });

  test("the median of an even number of rounds is between the middle two", () => {
    expect(medianRound([round(100), round(400), round(200), round(900)]).totalMicros).toBe(300);
  });

  test("compares requests per core with the monolith's", () => {
    const systems = [
      { name: "services", rounds: [round(200), round(400)] },
      { name: "monolith", rounds: [round(150), round(150)] },
    ];
    const cells = [4, 32].map((connections) => ({ kind: "rare" as const, connections, systems }));
    const report = reportOf({ rounds: 2, seconds: 1, accounts: 1_000 }, cells);
    expect(report.ratio).toBe(0.5);
    expect(report.rows[1]?.ratioRange).toEqual([0.375, 0.75]);
    expect(tableOf(report)).toContain("| 150 | 0.50 (0.38–0.75) | gateway 150 |");
    expect(tableOf(report, report)).toContain("| gateway 150 | 150 |");
    const chart = chartOf(report);
    expect(chart.match(/class="ours"/g)).toHaveLength(2);
    expect(chart).toContain("rare callers, 32 connections");
    expect(chart).toContain(">150</text>");
  });
});

describe("the command line", () => {
  test("requires a benchmark's name and limits its options", () => {
    const { name, options } = parseCommand(["edge", "--rounds", "30", "--json", "out.json"]);
    expect(name).toBe("edge");
    expect(options).toMatchObject({ rounds: 30, seconds: 2, json: "out.json" });
    expect(options).toMatchObject({ connectionCounts: [1, 4, 32], connections: 32 });
  });

  test("accepts 1,000 accounts and more", () => {
    expect(parseCommand(["edge", "--accounts", "1000"]).options.accounts).toBe(1_000);
    expect(() => parseCommand(["edge", "--accounts=999"])).toThrow("from 1000 to 200000");
  });

  test.each(["0", "101", "1.5", "x", ""])("refuses --rounds %j and names the range", (text) => {
    expect(() => parseCommand(["edge", `--rounds=${text}`])).toThrow("--rounds must be");
  });

  test("accepts the abuser's connections as a list, each within its range", () => {
    const { options } = parseCommand(["fairness", "--abusers", "1,64", "--kinds=hang-ups"]);
    expect(options).toMatchObject({ abuserConnections: [1, 64], kinds: ["hang-ups"], seconds: 5 });
    expect(() => parseCommand(["fairness", "--abusers=1,,2"])).toThrow("--abusers must be");
  });
});
