import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { parsePolicyFile } from "../src/domain/policy-file.ts";
import { POLICY_FILE } from "./setup.ts";

const shipped = readFileSync(POLICY_FILE, "utf8");

type Shipped = { policies: Record<string, unknown>[]; overrides: Record<string, unknown>[] };

function changed(change: (file: Shipped) => void): string {
  const file = JSON.parse(shipped) as Shipped;
  change(file);
  return JSON.stringify(file);
}

test("the shipped file contains the public limits and two internal ones", () => {
  const limits = parsePolicyFile(shipped).all.map(
    ({ name, max, windowSeconds }) => [name, max, windowSeconds] as const,
  );
  expect(limits).toEqual([
    ["key-hour", 120, 3_600],
    ["connector-hour", 240, 3_600],
    ["cooldown", 1, 1],
    ["mutations-10-minutes", 12, 600],
    ["mutations-hour", 25, 3_600],
    ["mutations-day", 60, 86_400],
    ["mutations-30-days", 1_000, 2_592_000],
    ["lines-10-minutes", 30, 600],
    ["lines-hour", 60, 3_600],
    ["lines-day", 100, 86_400],
    ["lines-per-date-day", 40, 86_400],
    ["account-hour", 3_000, 3_600],
    ["failed-analyses-hour", 60, 3_600],
  ]);
});

test("the version changes with the content", () => {
  const other = changed((file) => (file.policies[0]!["max"] = 121));
  expect(parsePolicyFile(other).version).not.toBe(parsePolicyFile(shipped).version);
});

test.each<[string, (file: Shipped) => void, RegExp]>([
  [
    "a repeated name",
    (file) => (file.policies[1]!["name"] = "key-hour"),
    /two policies are named key-hour/,
  ],
  ["an unknown field", (file) => (file.policies[0]!["windw"] = 1), /windw/],
  ["a maximum of 0", (file) => (file.policies[0]!["max"] = 0), /policies\.0\.max/],
  ["a window of half a second", (file) => (file.policies[0]!["window_seconds"] = 0.5), /window/],
  ["kinds of lines", (file) => (file.policies[8]!["kinds"] = ["log"]), /only mutations/],
  ["dates of mutations", (file) => (file.policies[4]!["each_journal_date"] = true), /only lines/],
  ["no limit for a key", (file) => file.policies.shift(), /one api_key/],
  [
    "the same count twice",
    (file) => file.policies.push({ ...file.policies[4], name: "again" }),
    /two policies count mutations\/3600/,
  ],
  [
    "an override of an unknown policy",
    (file) => file.overrides.push({ subject: "key:1", policy: "nothing", max: 1 }),
    /unknown policy nothing/,
  ],
  [
    "an override for no subject",
    (file) => file.overrides.push({ subject: "me", policy: "key-hour", max: 1 }),
    /overrides\.0\.subject/,
  ],
])("refuses a file with %s and says why", (_, change, message) => {
  expect(() => parsePolicyFile(changed(change))).toThrow(message);
});

test("refuses what is not JSON", () => {
  expect(() => parsePolicyFile("policies:")).toThrow("not JSON");
});
