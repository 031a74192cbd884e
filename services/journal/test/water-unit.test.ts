import { sql } from "@nutrition/postgres/sql";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

type Outcome = Parameters<typeof resultOf>[0]["outcome"];

function unitOf(outcome: Outcome): string | undefined {
  return outcome.case === "result" ? outcome.value.waterUnit : undefined;
}

/** The units in the replies to a log, its retry, an edit, a deletion and two reads. */
async function unitsNamed(user: UserIdentity): Promise<(string | undefined)[]> {
  const gateway = harness.journal.client("gateway");
  const logged = await logFood(harness.journal, user, { foodText: "egg" });
  const retry = await logFood(harness.journal, user, { foodText: "egg" });
  expect(resultOf(retry).duplicate).toBe(true);
  const item = { itemId: resultOf(logged).items[0].id as string };
  const edited = await gateway.editFoodItem({ item, replacementText: "2 eggs" }, as(user));
  const read = await gateway.getSummary({}, as(user));
  const listed = await gateway.listEntries({ limit: 1 }, as(user));
  const deleted = await gateway.deleteFoodItem({ item }, as(user));
  const writes = [logged, retry, edited, deleted].map(({ outcome }) => unitOf(outcome));
  return [...writes, read.waterUnit, listed.waterUnit];
}

test("every document with water has its own person's unit, also in the reply to a retry", async () => {
  const [ounces, milliliters] = [newUser(), newUser()];
  await harness.db.database.query(sql`
    insert into settings (account_id, water_unit, updated_at)
    values (${ounces.accountId}, 'fl_oz', now())`);
  expect(await unitsNamed(ounces)).toEqual(Array(6).fill("fl_oz"));
  expect(await unitsNamed(milliliters)).toEqual(Array(6).fill("ml"));
});
