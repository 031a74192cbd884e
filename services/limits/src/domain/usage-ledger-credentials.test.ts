import { expect, test } from "vitest";

import { keyRequest, keyPolicies } from "../../test/load.ts";
import { UsageLedger } from "./usage-ledger.ts";
import type { LogUpdate } from "./log-news.ts";
import { PolicySet } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { UsageEvent } from "./usage.ts";

const START_US = 1_763_700_000_000_000;
const ACCOUNT_ID = "0199a000-0000-7000-8000-000000000001";
const SECOND_US = 1_000_000;

const accountMinute: Policy = {
  name: "account",
  counts: "requests",
  eachJournalDate: false,
  max: 4,
  windowSeconds: 60,
};
const policies = [...keyPolicies([3, 60]).all, accountMinute];
const key = (name: string) => keyRequest(name, ACCOUNT_ID);

const nothingNew: LogUpdate = { accountRevision: undefined, subjects: [] };

/** News about one request of a subject; with a revision, it is the subject's whole log. */
function newsOf(subject: string, revision: number | undefined, atUs: number): LogUpdate {
  const usage = { kind: "request", cost: 1, lines: 0, journalDate: null } as const;
  const events: UsageEvent[] = [{ ...usage, atUs, state: "committed" }];
  return { ...nothingNew, subjects: [{ subject, revision, notedAtUs: undefined, events }] };
}

function setup() {
  const ledger = new UsageLedger(START_US, 60);
  ledger.resume(START_US, nothingNew);
  const ask = (name: string) => {
    const decision = ledger.decide(key(name), policies);
    return decision?.allowed ? [] : decision?.violations.map(({ policy }) => policy.name);
  };
  return { ledger, ask };
}

test("each key has its own limit, and all keys together the account's", () => {
  const { ask } = setup();
  for (let n = 0; n < 3; n += 1) expect(ask("a")).toEqual([]);
  expect(ask("a")).toEqual(["key-60"]);
  expect(ask("b")).toEqual([]);
  expect(ask("b")).toEqual(["account"]);
  expect(ask("a")?.toSorted()).toEqual(["account", "key-60"]);
});

test("an event of one key dated before another key's event counts from its own time", () => {
  const { ledger, ask } = setup();
  for (let n = 0; n < 3; n += 1) ask("a");

  ledger.resume(START_US + SECOND_US, newsOf("key:b", undefined, START_US - SECOND_US));
  expect(ask("b")).toEqual(["account"]);

  ledger.resume(START_US + 59 * SECOND_US + 1, nothingNew);
  expect(ask("b")).toEqual([]);
  expect(ask("b")).toEqual(["account"]);
});

test("a re-read key counts from its new log, and other keys are unchanged", () => {
  const { ledger, ask } = setup();
  for (const name of ["a", "a", "b", "b"]) ask(name);
  expect(ask("a")).toEqual(["account"]);

  ledger.resume(START_US + 1, newsOf("key:a", 1, START_US));

  expect([...ledger.subjects.values()]).toMatchObject([
    { subject: "key:a", revision: 1 },
    { subject: "key:b", revision: 0 },
  ]);
  expect(ask("a")).toEqual([]);
  expect(ask("b")).toEqual(["account"]);
});

test("an account's override applies to its own limit, and a key's to that key only", () => {
  const overrides = [
    { subject: `account:${ACCOUNT_ID}`, policy: "account", max: 9 },
    { subject: "key:a", policy: "account", max: 1 },
    { subject: "key:a", policy: "key-60", max: 7 },
  ];
  const maxima = new PolicySet("test", policies, overrides).appliedTo(key("a"));
  expect(maxima.map(({ name, max }) => [name, max])).toEqual([
    ["key-60", 7],
    ["account", 9],
  ]);
});
