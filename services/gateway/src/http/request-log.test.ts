import { ManualClock } from "@nutrition/core/clock";
import { beforeEach, describe, expect, it } from "vitest";

import { FULL_REFUSALS_MAX, RequestLog } from "./request-log.ts";

const lines: { facts: object; message: string }[] = [];
const write = (facts: object, message: string) => void lines.push({ facts, message });
const logger = { debug: write, info: write, warn: write, error: write };
beforeEach(() => void (lines.length = 0));

const STRANGER = { route: "/api/v1/me", status: 401 };

function floodedLog(clock: ManualClock, more = 0): RequestLog {
  const log = new RequestLog(logger, clock);
  for (let count = 0; count < FULL_REFUSALS_MAX + more; count += 1) log.write(STRANGER);
  return log;
}

describe("refused requests without a valid credential", () => {
  it("are logged one by one only at first, and then in one line per minute", () => {
    const clock = new ManualClock("2026-11-21T12:00:00Z");
    const log = floodedLog(clock, 1_000);
    log.write({ route: "(none)", status: 404 });
    expect(lines).toHaveLength(FULL_REFUSALS_MAX);
    clock.advance(60_000);
    log.write(STRANGER);
    expect(lines.slice(FULL_REFUSALS_MAX)).toEqual([
      {
        facts: { refused: { "/api/v1/me 401": 1_000, "(none) 404": 1 } },
        message: "more refused requests",
      },
      { facts: STRANGER, message: "request" },
    ]);
  });

  it("that were counted are logged when the gateway stops", () => {
    const log = floodedLog(new ManualClock("2026-11-21T12:00:00Z"), 1);
    log[Symbol.dispose]();
    expect(lines.at(-1)?.facts).toEqual({ refused: { "/api/v1/me 401": 1 } });
  });

  it("are not counted in a line if each was logged", () => {
    const log = floodedLog(new ManualClock("2026-11-21T12:00:00Z"));
    log[Symbol.dispose]();
    expect(lines).toHaveLength(FULL_REFUSALS_MAX);
  });
});

it("an account's refusals are logged one by one only at first, regardless of other accounts", () => {
  const clock = new ManualClock("2026-11-21T12:00:00Z");
  const log = floodedLog(clock);
  const refused = { ...STRANGER, status: 429, account_id: "a" };
  for (let count = 0; count < FULL_REFUSALS_MAX + 5; count += 1) log.write(refused);
  log.write({ ...refused, account_id: "b" });
  expect(lines).toHaveLength(2 * FULL_REFUSALS_MAX + 1);
  clock.advance(60_000);
  log.write(refused);
  expect(lines.slice(-2).map(({ facts }) => facts)).toEqual([
    { refused: { "/api/v1/me 429": 5 } },
    refused,
  ]);
});

it.each([
  ["a request that was answered", { route: "/healthz", status: 200 }, undefined],
  ["a refusal of somebody known", { ...STRANGER, status: 429, account_id: "a" }, undefined],
  ["a failure of somebody known", { ...STRANGER, status: 503, account_id: "a" }, undefined],
  ["an error of ours", { ...STRANGER, status: 503 }, new Error("away")],
])("%s is always logged", (_, facts, error) => {
  const log = floodedLog(new ManualClock("2026-11-21T12:00:00Z"));
  log.write(facts, error);
  expect(lines).toHaveLength(FULL_REFUSALS_MAX + 1);
});
