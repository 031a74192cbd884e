import { sql } from "@nutrition/postgres/sql";
import { cannotTell, estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { cleanUp } from "../src/operations/clean-up.ts";
import { as, createHarness, logFood, newUser, refusalOf, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.analysis.requests.length = 0;
  // As the analysis answers: the other lines of a call with a costly one are not read.
  harness.analysis.answer = (line) =>
    line.includes("knot")
      ? cannotTell("This takes too long.", "", true)
      : estimate({ calories: 72 });
});

const asked = () => harness.analysis.requests.map(({ lines }) => lines);

test("a line that took too long is refused by name, and no instance sends it again for that account", async () => {
  const user = newUser();
  const refusal = refusalOf(
    await logFood(harness.journal, user, { foodText: "egg\npretzel knot knot" }),
  );
  expect(refusal).toMatchObject({ code: "analysis_failed", field: "food_text" });
  expect(refusal.message).toMatch(/^Line 2: This takes too long\. Nothing was/);
  const other = await harness.start();
  const again = refusalOf(
    await logFood(other, user, { foodText: "pretzel knot knot\negg", date: "2026-11-20" }),
  );
  expect(again.code).toBe("analysis_failed");
  expect(again.message).toMatch(
    /^Line 1: This took too long to read before\. Name the food .* Nothing was logged/,
  );
  expect(asked()).toEqual([["egg", "pretzel knot knot"]]);
});

test("only that line with those remarks is refused, and only for that account", async () => {
  const user = newUser();
  const foodText = "egg";
  harness.analysis.answer = () => cannotTell("This takes too long.", "", true);
  refusalOf(await logFood(harness.journal, user, { foodText, detailedDescription: "knotty" }));
  harness.analysis.answer = () => estimate({ calories: 72 });
  resultOf(await logFood(harness.journal, user, { foodText }));
  resultOf(await logFood(harness.journal, newUser(), { foodText, detailedDescription: "knotty" }));
  refusalOf(await logFood(harness.journal, user, { foodText, detailedDescription: "knotty" }));
  expect(asked()).toHaveLength(3);
});

test("an edit is refused, too", async () => {
  const user = newUser();
  const [item] = resultOf(await logFood(harness.journal, user, { foodText: "egg" })).items;
  const edit = () =>
    harness.journal
      .client("gateway")
      .editFoodItem({ item: { itemId: item.id }, replacementText: "a knot" }, as(user));
  expect(refusalOf(await edit()).field).toBe("replacement_text");
  expect(refusalOf(await edit()).message).toContain("before");
  expect(asked()).toEqual([["egg"], ["a knot"]]);
});

test("the line is sent again after an hour, and its hash is deleted", async () => {
  const { database } = harness.db;
  const user = newUser();
  refusalOf(await logFood(harness.journal, user, { foodText: "one knot" }));
  const [{ left } = { left: 0 }] = await database.query<{ left: number }>(sql`
    select extract(epoch from max(expires_at) - now())::float8 as left from costly_lines
    where account_id = ${user.accountId}`);
  expect(left).toBeGreaterThan(3_500);
  expect(left).toBeLessThanOrEqual(3_600);
  await database.query(sql`update costly_lines set expires_at = now() - interval '1 second'`);
  refusalOf(await logFood(harness.journal, user, { foodText: "one knot" }));
  expect(asked()).toHaveLength(2);
  await database.query(sql`update costly_lines set expires_at = now() - interval '1 second'`);
  await cleanUp(database);
  expect(await database.query(sql`select 1 from costly_lines`)).toEqual([]);
});

test("the database does not tell what the line was, nor that two accounts sent the same", async () => {
  const { database } = harness.db;
  for (const user of [newUser(), newUser()]) {
    refusalOf(await logFood(harness.journal, user, { foodText: "secret knot" }));
  }
  const rows = await database.query<{ hash: Buffer; row: string }>(sql`
    select hash, costly_lines::text as row from costly_lines`);
  expect(new Set(rows.map(({ hash }) => hash.toString("hex"))).size).toBe(rows.length);
  expect(rows.every(({ hash }) => hash.length === 32)).toBe(true);
  expect(rows.map(({ row }) => row).join()).not.toContain("secret");
});

test("erasing an account erases its lines", async () => {
  const { database } = harness.db;
  const user = newUser();
  const { accountId } = user;
  refusalOf(await logFood(harness.journal, user, { foodText: "last knot" }));
  await harness.journal.client("admin").eraseAccount({ accountId }, as());
  expect(
    await database.query(sql`select 1 from costly_lines where account_id = ${accountId}`),
  ).toEqual([]);
});
