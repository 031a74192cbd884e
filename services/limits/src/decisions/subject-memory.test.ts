import { expect, test } from "vitest";

import { SubjectLedger } from "../domain/subject-ledger.ts";
import { SubjectMemory } from "./subject-memory.ts";

function ledgerOf(size: number): SubjectLedger {
  const event = {
    kind: "request",
    cost: 1,
    lines: 0,
    journalDate: null,
    state: "committed",
  } as const;
  const events = Array.from({ length: size }, (_, atUs) => ({ ...event, atUs }));
  return new SubjectLedger({ events, readAtUs: size, windowSeconds: 3_600 });
}

test("what was used lately stays, and what was not goes", () => {
  const memory = new SubjectMemory(20);
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

test("all subjects together keep no more events than they may", () => {
  const memory = new SubjectMemory(1_000);
  const names = Array.from({ length: 100 }, (_, n) => `subject-${n}`);
  for (const name of names) memory.set(name, ledgerOf(60));
  const kept = names.map((name) => memory.find(name)?.size ?? 0);
  expect(kept.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(1_060);
  expect(memory.find("subject-99")).toBeDefined();
});

test("what is forgotten is not found, whatever its age", () => {
  const memory = new SubjectMemory(4);
  for (const name of ["a", "b", "c", "d"]) memory.set(name, ledgerOf(1));
  for (const name of ["a", "b", "c", "d"]) memory.forget(name);
  expect(["a", "b", "c", "d"].map((name) => memory.find(name))).toEqual(Array(4).fill(undefined));
});
