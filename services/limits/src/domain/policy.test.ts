import { expect, test } from "vitest";

import { counterKey, roleOf, unitsOf } from "./policy.ts";
import type { Policy } from "./policy.ts";
import type { Usage } from "./usage.ts";

const mutations: Policy = {
  name: "mutations",
  counts: "mutations",
  eachJournalDate: false,
  max: 1,
  windowSeconds: 60,
};

test("policies that count differently have separate counters", () => {
  const policies: Policy[] = [
    mutations,
    { ...mutations, kinds: ["log"] },
    { ...mutations, kinds: ["log", "edit"] },
    { ...mutations, windowSeconds: 61 },
    { ...mutations, counts: "lines" },
    { ...mutations, counts: "lines", eachJournalDate: true },
  ];
  expect(new Set(policies.map(counterKey)).size).toBe(policies.length);
});

test("a change of name, maximum or order of kinds keeps the counter", () => {
  const policy: Policy = { ...mutations, kinds: ["log", "edit"] };
  const same: Policy = { ...policy, name: "other", max: 9, kinds: ["edit", "log"] };
  expect(counterKey(same)).toBe(counterKey(policy));
});

test("a policy uses units only for what it counts", () => {
  const write: Usage = { kind: "merge", cost: 1, lines: 3, journalDate: "2026-11-21" };
  expect(unitsOf(mutations, write, "reserved")).toBe(1);
  expect(unitsOf({ ...mutations, kinds: ["log", "edit"] }, write, "reserved")).toBe(0);
  expect(unitsOf({ ...mutations, counts: "lines" }, write, "reserved")).toBe(3);
  const requests: Policy = { ...mutations, counts: "api_key_requests" };
  expect(unitsOf(requests, { ...write, kind: "request", cost: 20 }, "committed")).toBe(20);
});

test("only a failed or possibly failing log or edit is a failed analysis", () => {
  const failures: Policy = { ...mutations, counts: "failed_analyses" };
  const log: Usage = { kind: "log", cost: 1, lines: 3, journalDate: "2026-11-21" };
  expect(unitsOf(failures, log, "failed")).toBe(1);
  expect(unitsOf(failures, { ...log, kind: "edit" }, "reserved")).toBe(1);
  expect(unitsOf(failures, log, "committed")).toBe(0);
  expect(unitsOf(failures, { ...log, kind: "merge" }, "reserved")).toBe(0);
  expect(unitsOf(mutations, log, "failed")).toBe(0);
  expect(unitsOf({ ...mutations, counts: "lines" }, log, "failed")).toBe(0);
});

test("a policy's role depends on what it counts and its window, not on its name", () => {
  const base = { name: "lines-cooldown-hour", eachJournalDate: false, max: 1, windowSeconds: 60 };
  expect(roleOf({ ...base, counts: "mutations" })).toBe("writes");
  expect(roleOf({ ...base, counts: "mutations", windowSeconds: 1 })).toBe("cooldown");
  expect(roleOf({ ...base, counts: "lines", windowSeconds: 1 })).toBe("lines");
  expect(roleOf({ ...base, counts: "failed_analyses" })).toBe("failed_analyses");
  expect(roleOf({ ...base, counts: "connector_requests" })).toBe("requests");
});
