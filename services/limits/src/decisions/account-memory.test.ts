import { expect, test } from "vitest";

import { UsageLedger } from "../domain/usage-ledger.ts";
import { AccountMemory } from "./account-memory.ts";

function ledgerOf(size: number): UsageLedger {
  const event = {
    kind: "request",
    cost: 1,
    lines: 0,
    journalDate: null,
    state: "committed",
  } as const;
  const events = Array.from({ length: size }, (_, atUs) => ({ ...event, atUs }));
  const ledger = new UsageLedger(size, 3_600);
  const news = { subject: "key:1", revision: 0, notedAtUs: undefined, events };
  ledger.resume(size, { accountRevision: 0, subjects: [news] });
  return ledger;
}

test("keeps recently used ledgers and drops others", () => {
  const memory = new AccountMemory(200);
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

test("bounds the events of all subjects together", () => {
  const memory = new AccountMemory(1_000);
  const names = Array.from({ length: 100 }, (_, n) => `subject-${n}`);
  for (const name of names) memory.set(name, ledgerOf(60));
  const kept = names.map((name) => memory.find(name)?.size ?? 0);
  expect(kept.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(1_060);
  expect(memory.find("subject-99")).toBeDefined();
});

test("holds few ledgers with an event each in the memory of many events", () => {
  const memory = new AccountMemory(2_000);
  const names = Array.from({ length: 1_000 }, (_, n) => `subject-${n}`);
  for (const name of names) memory.set(name, ledgerOf(1));
  // Such a ledger takes as much as eight events more, so that memory is full with a fifth of them.
  expect(names.filter((name) => memory.find(name)).length).toBeLessThanOrEqual(201);
  expect(memory.find("subject-999")).toBeDefined();
});

test("never returns a dropped ledger, whatever its age", () => {
  const memory = new AccountMemory(100);
  for (const name of ["a", "b", "c", "d"]) memory.set(name, ledgerOf(1));
  for (const name of ["a", "b", "c", "d"]) memory.forget(name);
  expect(["a", "b", "c", "d"].map((name) => memory.find(name))).toEqual(Array(4).fill(undefined));
});
