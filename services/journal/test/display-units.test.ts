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

const DOCUMENTS_OWN = { waterUnit: "ml", energyUnit: "kcal" };
const CHOSEN = { waterUnit: "fl_oz", energyUnit: "kJ" };

type Reply = Parameters<typeof resultOf>[0];

function resultWithUnits({ outcome }: Reply) {
  return outcome.case === "result" ? outcome.value : undefined;
}

/** The replies to a log, its retry, an edit, a deletion and two reads. */
async function foodReplies(user: UserIdentity): Promise<(object | undefined)[]> {
  const gateway = harness.journal.client("gateway");
  const logged = await logFood(harness.journal, user, { foodText: "egg" });
  const retry = await logFood(harness.journal, user, { foodText: "egg" });
  expect(resultOf(retry).duplicate).toBe(true);
  const item = { itemId: resultOf(logged).items[0].id as string };
  const edited = await gateway.editFoodItem({ item, replacementText: "2 eggs" }, as(user));
  const read = await gateway.getSummary({}, as(user));
  const listed = await gateway.listEntries({ limit: 1 }, as(user));
  const deleted = await gateway.deleteFoodItem({ item }, as(user));
  return [...[logged, retry, edited, deleted].map(resultWithUnits), read, listed];
}

async function weightUnitOf(user: UserIdentity): Promise<string> {
  const reply = await harness.journal.client("gateway").listWeights({ limit: 1 }, as(user));
  return reply.weightUnit;
}

test("every document has the units of its own person, also in the reply to a retry", async () => {
  const [chooser, other] = [newUser(), newUser()];
  await harness.db.database.query(sql`
    insert into settings (account_id, water_unit, energy_unit, weight_unit, updated_at)
    values (${chooser.accountId}, 'fl_oz', 'kJ', 'st', now())`);
  for (const reply of await foodReplies(chooser)) expect(reply).toMatchObject(CHOSEN);
  for (const reply of await foodReplies(other)) expect(reply).toMatchObject(DOCUMENTS_OWN);
  expect([await weightUnitOf(chooser), await weightUnitOf(other)]).toEqual(["st", "kg"]);
});
