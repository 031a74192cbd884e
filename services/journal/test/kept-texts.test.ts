import { newId } from "@nutrition/core/ids";
import { NUTRIENTS } from "@nutrition/core/nutrients";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, readSummary, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";

const DATE = "2026-11-20";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());

/** The account's items whose stored text does not match their row; a deleted item has none. */
function outdated({ accountId }: UserIdentity) {
  return harness.db.database.query(sql`
    select id, kept_text from items
    where account_id = ${accountId} and (kept_text is distinct from food_item_text(items)
      or (kept_text is null) is distinct from (deleted_at is not null))`);
}

test("every way of writing an item updates its stored text", async () => {
  const user = newUser();
  const gateway = harness.journal.client("gateway");
  const logged = await logFood(harness.journal, user, {
    foodText: 'egg\nham\n"tea"\njam',
    date: DATE,
  });
  const [egg, ham, tea, jam] = resultOf(logged).items.map(({ id }: { id: string }) => id);
  expect(await outdated(user)).toEqual([]);
  const change = { item: { itemId: tea }, replacementText: '"coffee" with milk' };
  resultOf(await gateway.editFoodItem(change, as(user)));
  expect(await outdated(user)).toEqual([]);
  resultOf(await gateway.mergeFoodItems({ itemIds: [ham, jam], mergedText: "ham, jam" }, as(user)));
  expect(await outdated(user)).toEqual([]);
  // Moves the items behind it up.
  resultOf(await gateway.deleteFoodItem({ item: { itemId: egg } }, as(user)));
  expect(await outdated(user)).toEqual([]);
});

test("a row written without the trigger reads like one written with it", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg\nham", date: DATE });
  const before = await readSummary(harness.journal, user, DATE);
  await harness.db.database.transaction(async (tx) => {
    await tx.query(sql`alter table items disable trigger items_keep_text`);
    await tx.query(sql`update items set kept_text = null where account_id = ${user.accountId}`);
    await tx.query(sql`alter table items enable always trigger items_keep_text`);
  });
  expect(await readSummary(harness.journal, user, DATE)).toEqual(before);
});

test("sessions that skip triggers update the text, too", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg", date: DATE });
  await harness.db.database.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(sql`
      update items set description = 'ham' where account_id = ${user.accountId}`);
  });
  expect(await outdated(user)).toEqual([]);
});

test("the text has each nutrient of the registry, in its order", async () => {
  const amounts = Object.fromEntries(NUTRIENTS.map(({ key }, index) => [key, index + 0.5]));
  const row = {
    ...amounts,
    id: newId(),
    description: "egg",
    is_water_entry: false,
    water_milliliters: 0,
    line_index: 0,
    updated_at: "2026-11-20T08:30:00Z",
  };
  const [found] = await harness.db.database.query<{ text: string }>(sql`
    select food_item_text(json_populate_record(null::items, ${JSON.stringify(row)}::json)) as text`);
  const item = JSON.parse(found?.text ?? "") as Record<string, unknown>;
  expect(item).toMatchObject(amounts);
  const keys = NUTRIENTS.map(({ key }) => key as string);
  expect(Object.keys(item).filter((key) => keys.includes(key))).toEqual(keys);
});
