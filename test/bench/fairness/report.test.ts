import { describe, expect, test } from "vitest";

import { AnswerReader } from "./answer-reader.ts";
import type { Phase } from "./figures.ts";
import type { Answer } from "./people.ts";
import { planArrivals } from "./people.ts";
import { doubtsIn, rowOf, tableOf } from "./report.ts";

const MIB = 2 ** 20;

/** Reads that take 1, 2, … 100 ms times `slower`, and a probe of 1 ms. */
function phase(slower: number, more: Partial<Phase> = {}): Phase {
  const reads = Array.from({ length: 100 }, (_, index): Answer => {
    return { kind: "read", ms: (index + 1) * slower, outcome: "200" };
  });
  const page: Answer = { kind: "page", ms: 1, outcome: "200" };
  const probe: Answer = { kind: "probe", ms: 1, outcome: "200" };
  const usual = {
    cpuMicros: 102_000,
    residentBytes: 100 * MIB,
    elapsedMs: 1_000,
    foreignMicros: 0,
  };
  return { answers: [...reads, page, probe], ...usual, ...more };
}

function abuser(requests: number, outcomes: Record<string, number> = {}) {
  return { requests, outcomes, cpuMicros: 50_000 };
}

function row(beside: Phase) {
  return rowOf({
    kind: "refused-rest",
    isRefused: true,
    connections: 8,
    alone: [phase(1)],
    beside: [beside],
  });
}

describe("the report", () => {
  test("passes people who wait no more than twice as long", () => {
    const result = row(phase(2, { cpuMicros: 132_000, abuser: abuser(100, { "429": 100 }) }));
    expect(result.faults).toEqual([]);
    expect(result.alone).toMatchObject({ p50Ms: 50, readP99Ms: 99, p99Ms: 99, cores: 0.102 });
    expect(result.abuser).toMatchObject({ requestsPerSecond: 100, microsPerRequest: 300 });
    expect(tableOf([result])).toContain("429 × 100");
  });

  test("names everything that breaks a promise", () => {
    const failed: Answer = { kind: "read", ms: 1, outcome: "503" };
    const { answers } = phase(2.1);
    const { faults } = row({
      ...phase(2.1, { cpuMicros: 303_000, abuser: abuser(400) }),
      answers: [...answers, failed],
    });
    expect(faults).toEqual([
      "reads' p99 is 208 ms; at most 198",
      "people's p99 is 208 ms; at most 198",
      "1 people got 503",
      "a refusal took 500 µs of CPU, all 0.20 cores",
    ]);
  });

  test("names pages that wait, however fast everything else is", () => {
    const page: Answer = { kind: "page", ms: 28_000, outcome: "200" };
    const usual = phase(1);
    const { faults } = row({ ...usual, answers: [...usual.answers, page], abuser: abuser(1) });
    expect(faults).toEqual(["pages' p99 is 28000 ms; at most 26.0"]);
  });

  test("ignores the price of refusals that are expensive but few", () => {
    const { faults } = row(phase(1, { cpuMicros: 191_000, abuser: abuser(90) }));
    expect(faults).toEqual([]);
  });

  test("names memory that grows from round to round, but no heap that filled once", () => {
    const after = (mib: number) => phase(1, { residentBytes: mib * MIB, abuser: abuser(1) });
    const faultsOf = (...mibs: number[]) =>
      rowOf({
        kind: "hang-ups",
        isRefused: false,
        connections: 1,
        alone: [phase(1)],
        beside: mibs.map(after),
      }).faults;
    expect(faultsOf(250, 240, 260)).toEqual([]);
    expect(faultsOf(250, 300, 350)).toEqual(["memory goes on growing, by 100 MiB"]);
  });

  test("warns when other programs kept the machine busy", () => {
    expect(doubtsIn([row(phase(1, { abuser: abuser(1) }))])).not.toContain("cores");
    const busy = phase(1, { foreignMicros: 1_400_000, abuser: abuser(1) });
    expect(doubtsIn([row(busy)])).toContain("up to 0.7 cores");
  });

  test("warns when a p99 rests on the worst few requests", () => {
    const { answers, ...others } = phase(1, { abuser: abuser(1) });
    const many = { ...others, answers: Array.from({ length: 5 }, () => answers).flat() };
    expect(doubtsIn([row({ ...others, answers })])).toContain("only 100 requests");
    expect(doubtsIn([row(many)])).toBe("");
  });

  test("does not limit the price of what is not refused", () => {
    const phases = { alone: [phase(1)], beside: [phase(1, { cpuMicros: 9e6, abuser: abuser(1) })] };
    const { faults } = rowOf({ kind: "big-reads", isRefused: false, connections: 1, ...phases });
    expect(faults).toEqual([]);
  });
});

describe("people", () => {
  const options = { apiKeys: ["a", "b"], dates: ["2026-10-01"], durationMs: 10_000, firstWrite: 0 };

  test("make requests at times independent of responses, the same for the same seed", () => {
    const arrivals = planArrivals({ ...options, seed: 1 });
    expect(planArrivals({ ...options, seed: 1 })).toEqual(arrivals);
    const asked = arrivals.filter(({ kind }) => kind === "read" || kind === "write");
    expect(asked.length).toBeGreaterThan(400);
    expect(asked.length).toBeLessThan(600);
    expect(asked.every(({ atMs }) => atMs >= 0 && atMs < 10_000)).toBe(true);
  });

  test("never write the same twice", () => {
    const bodies = [1, 2].flatMap((seed) =>
      planArrivals({ ...options, seed, firstWrite: seed * 1_000 })
        .filter(({ kind }) => kind === "write")
        .map(({ body }) => body),
    );
    expect(bodies.length).toBeGreaterThan(20);
    expect(new Set(bodies).size).toBe(bodies.length);
  });
});

test("recognizes responses wherever the network splits them", () => {
  const text =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" +
    "HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n" +
    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size += 1) {
    const reader = new AnswerReader();
    const statuses: number[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      statuses.push(...reader.read(bytes.subarray(at, at + size)));
    }
    expect(statuses).toEqual([200, 429, 408]);
  }
});
