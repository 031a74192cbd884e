import { sql } from "@nutrition/postgres/sql";
import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import {
  ageClaims,
  createHarness,
  logFood,
  newUser,
  readSummary,
  refusalOf,
  resultOf,
} from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(harness.limits, { isAway: false });
  Object.assign(harness.analysis, { isAway: false, gate: async () => {} });
  harness.analysis.answer = () => estimate({ calories: 100 });
  harness.analysis.requests.length = 0;
  harness.limits.requests.length = 0;
});

test("fifty identical concurrent calls have one effect and equal answers", async () => {
  const user = newUser();
  const second = await harness.start();
  const calls = Array.from({ length: 50 }, (_, index) =>
    logFood(index % 2 ? second : harness.journal, user, { foodText: "2 eggs\ntoast" }),
  );
  const results = (await Promise.all(calls)).map(resultOf);
  expect(results.filter((result) => !result.duplicate)).toHaveLength(1);
  const bodies = results.map((result) => JSON.stringify({ ...result, duplicate: false }));
  expect(new Set(bodies).size).toBe(1);
  expect((await readSummary(harness.journal, user)).entries[0].items).toHaveLength(2);
  expect(harness.limits.requests).toHaveLength(1);
  const rows = await harness.db.database.query<{ duplicate: boolean }>(sql`
    select duplicate from mutations where account_id = ${user.accountId}`);
  expect(rows.filter((row) => row.duplicate)).toHaveLength(49);
  expect(rows).toHaveLength(50);
});

test("fifty different concurrent calls on one date add lines without gaps to one entry", async () => {
  const user = newUser();
  const second = await harness.start();
  const calls = Array.from({ length: 50 }, (_, index) =>
    logFood(index % 2 ? second : harness.journal, user, { foodText: `a ${index}\nb ${index}` }),
  );
  const results = (await Promise.all(calls)).map(resultOf);
  const { entries, totals } = await readSummary(harness.journal, user);
  expect(entries).toHaveLength(1);
  const [entry] = entries;
  expect(entry.items.map((item: { line_index: number }) => item.line_index)).toEqual(
    Array.from({ length: 100 }, (_, index) => index),
  );
  const lines = entry.items.map((item: { description: string }) => item.description);
  expect(entry.food_text).toBe(lines.join("\n"));
  expect(totals.calories).toBe(10_000);
  for (const index of [0, 7, 49]) {
    const at = lines.indexOf(`a ${index}`);
    expect(lines[at + 1]).toBe(`b ${index}`);
  }
  expect(results.map((result) => result.totals.calories).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, index) => 200 * (index + 1)),
  );
});

test("a retry may differ only in what does not distinguish foods, and only within the window", async () => {
  const user = newUser();
  const first = resultOf(await logFood(harness.journal, user, { foodText: "2 Eggs\nToast" }));
  const retry = await logFood(harness.journal, user, { foodText: " 2  eggs\n\ntoast " });
  expect(resultOf(retry)).toEqual({ ...first, duplicate: true });
  for (const request of [
    { foodText: "2 Eggs\nToast", date: "2026-11-20" },
    { foodText: "2 Eggs\nToast", detailedDescription: "fried" },
    { foodText: "Toast\n2 Eggs" },
  ]) {
    expect(resultOf(await logFood(harness.journal, user, request)).duplicate).toBe(false);
  }
  await ageClaims(harness, user.accountId, "10 minutes");
  const later = await logFood(harness.journal, user, { foodText: "2 Eggs\nToast" });
  expect(resultOf(later).duplicate).toBe(false);
});

test("today is the same day whether or not it is given", async () => {
  for (const [first, second] of [
    [{}, { date: "2026-11-21" }],
    [{ date: "2026-11-21" }, {}],
    [{ idempotencyKey: "k" }, { idempotencyKey: "k", date: "2026-11-21" }],
    [{ idempotencyKey: "k", date: "2026-11-21" }, { idempotencyKey: "k" }],
  ]) {
    const user = newUser();
    const done = resultOf(await logFood(harness.journal, user, { foodText: "egg", ...first }));
    const again = await logFood(harness.journal, user, { foodText: "egg", ...second });
    expect(resultOf(again)).toEqual({ ...done, duplicate: true });
  }
});

test("without a date, a retry after midnight still counts as one, if the first call had no date either", async () => {
  const log = (user: ReturnType<typeof newUser>, request: object) =>
    logFood(harness.journal, user, { foodText: "egg", ...request });
  const [undated, keyed, dated] = [newUser(), newUser(), newUser()];
  const key = { idempotencyKey: "k" };
  harness.clock.set("2026-11-21T23:59:00.000Z");
  const first = resultOf(await log(undated, {}));
  const firstKeyed = resultOf(await log(keyed, key));
  await log(dated, { date: "2026-11-21" });
  harness.clock.set("2026-11-22T00:01:00.000Z");
  expect(resultOf(await log(undated, {}))).toEqual({ ...first, duplicate: true });
  expect(resultOf(await log(undated, { date: "2026-11-22" })).duplicate).toBe(false);
  expect(resultOf(await log(keyed, key))).toEqual({ ...firstKeyed, duplicate: true });
  expect(resultOf(await log(dated, {}))).toMatchObject({ duplicate: false, date: "2026-11-22" });
  harness.clock.set("2026-11-21T12:00:00.000Z");
});

test("a duplicate after midnight waits for the call from before", async () => {
  const user = newUser();
  harness.clock.set("2026-11-21T23:59:59.000Z");
  const { reached, open } = harness.analysis.closeGate();
  const first = logFood(harness.journal, user, { foodText: "egg" });
  await reached;
  harness.clock.set("2026-11-22T00:00:01.000Z");
  const second = logFood(harness.journal, user, { foodText: "egg" });
  open();
  const done = resultOf(await first);
  expect(resultOf(await second)).toEqual({ ...done, duplicate: true });
  harness.clock.set("2026-11-21T12:00:00.000Z");
});

test("the same text from another person is not a retry", async () => {
  await logFood(harness.journal, newUser(), { foodText: "egg" });
  const other = await logFood(harness.journal, newUser(), { foodText: "egg" });
  expect(resultOf(other).duplicate).toBe(false);
});

test("for a day, only the idempotency key identifies a retry", async () => {
  const user = newUser();
  const log = (idempotencyKey: string, foodText = "egg") =>
    logFood(harness.journal, user, { foodText, idempotencyKey });
  expect(resultOf(await log("one")).duplicate).toBe(false);
  expect(resultOf(await log("two")).duplicate).toBe(false);
  await ageClaims(harness, user.accountId, "23 hours");
  expect(resultOf(await log("one")).duplicate).toBe(true);
  expect(refusalOf(await log("one", "ham"))).toMatchObject({
    code: "invalid_input",
    field: "idempotency_key",
  });
});

test("refuses a key used with other arguments while the first call is still running", async () => {
  const user = newUser();
  const { reached, open } = harness.analysis.closeGate();
  const first = logFood(harness.journal, user, { foodText: "egg", idempotencyKey: "k" });
  await reached;
  const other = await logFood(harness.journal, user, { foodText: "ham", idempotencyKey: "k" });
  expect(refusalOf(other).code).toBe("invalid_input");
  open();
  expect(resultOf(await first).duplicate).toBe(false);
});
