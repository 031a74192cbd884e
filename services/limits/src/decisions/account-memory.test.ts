import { expect, test } from "vitest";

import { UsageLedger } from "../domain/usage-ledger.ts";
import type { UsageEvent } from "../domain/usage.ts";
import { AccountMemory } from "./account-memory.ts";

const REQUEST = {
  kind: "request",
  cost: 1,
  lines: 0,
  journalDate: null,
  state: "committed",
} as const;

function ledgerOf(size: number): UsageLedger {
  const events = Array.from({ length: size }, (_, atUs) => ({ ...REQUEST, atUs }));
  const ledger = new UsageLedger(size, 3_600);
  const news = { subject: "key:1", revision: 0, notedAtUs: undefined, events };
  ledger.resume(size, { accountRevision: 0, subjects: [news] });
  return ledger;
}

test("keeps recently used ledgers and drops others", () => {
  const memory = new AccountMemory(20 * ledgerOf(1).bytes);
  const [used, idle] = [ledgerOf(1), ledgerOf(1)];
  memory.set("used", used);
  memory.set("idle", idle);
  for (let n = 0; n < 100; n += 1) {
    memory.set(`other-${n}`, ledgerOf(1));
    memory.set("used", used);
  }
  expect(memory.find("used")).toBe(used);
  expect(memory.find("idle")).toBeUndefined();
});

test("limits the total size of all ledgers", () => {
  const memory = new AccountMemory(40_000);
  const names = Array.from({ length: 100 }, (_, n) => `subject-${n}`);
  for (const name of names) memory.set(name, ledgerOf(60));
  const kept = names.map((name) => memory.find(name)?.bytes ?? 0);
  expect(kept.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(40_000 + ledgerOf(60).bytes);
  expect(memory.find("subject-99")).toBeDefined();
});

test("counts the fixed size of each ledger, not only its events", () => {
  const memory = new AccountMemory(300_000);
  const names = Array.from({ length: 1_000 }, (_, n) => `subject-${n}`);
  for (const name of names) memory.set(name, ledgerOf(1));
  expect(names.filter((name) => memory.find(name)).length).toBeLessThanOrEqual(201);
  expect(memory.find("subject-999")).toBeDefined();
});

test("stores equal requests in a fifth of the memory, even if credentials alternate", () => {
  const [equal, different] = [1, 1_000].map((costs) => {
    const ledger = new UsageLedger(0, 3_600);
    const subjects = ["key:1", "key:2"].map((subject) => {
      return { subject, revision: 0, notedAtUs: undefined, events: [] as UsageEvent[] };
    });
    ledger.resume(0, { accountRevision: 0, subjects });
    for (let atUs = 1; atUs <= 1_000; atUs += 1) {
      const { subject } = subjects[atUs % 2] as (typeof subjects)[number];
      const events = [{ ...REQUEST, cost: 1 + (atUs % costs), atUs }];
      const news = { subject, revision: undefined, notedAtUs: undefined, events };
      ledger.resume(atUs, { accountRevision: undefined, subjects: [news] });
    }
    return ledger.bytes;
  });
  expect(equal).toBeLessThan(25_000);
  expect(different).toBeGreaterThan(100_000);
});

test("never returns a dropped ledger, whatever its age", () => {
  const memory = new AccountMemory(10_000);
  for (const name of ["a", "b", "c", "d"]) memory.set(name, ledgerOf(1));
  for (const name of ["a", "b", "c", "d"]) memory.forget(name);
  expect(["a", "b", "c", "d"].map((name) => memory.find(name))).toEqual(Array(4).fill(undefined));
});
