import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import {
  as,
  createHarness,
  logFood,
  newUser,
  readSummary,
  refusalOf,
  resultOf,
} from "./harness.ts";
import type { Harness } from "./harness.ts";

const DATE = "2026-11-20";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.analysis.answer = () => estimate({ calories: 100 });
  harness.analysis.gate = async () => {};
});

interface Item {
  id: string;
  description: string;
}

async function logItems(user: UserIdentity, ...lines: string[]): Promise<Item[]> {
  const request = { foodText: lines.join("\n"), date: DATE };
  return resultOf(await logFood(harness.journal, user, request)).items;
}

function remove(user: UserIdentity, item: object, idempotencyKey?: string) {
  const request = { item, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  return harness.journal.client("gateway").deleteFoodItem(request, as(user));
}

async function dayOf(user: UserIdentity) {
  const summary = await readSummary(harness.journal, user, DATE);
  const items = summary.entries[0]?.items ?? [];
  return {
    lines: items.map((item: { line_index: number; description: string }) => {
      return [item.line_index, item.description];
    }),
    text: summary.entries[0]?.food_text,
    totals: summary.totals,
  };
}

test("a delete removes the line, closes the gap, and returns the day as in the summary", async () => {
  const user = newUser();
  const [, ham] = await logItems(user, "egg", "ham", "toast");
  const result = resultOf(await remove(user, { itemId: ham!.id }));
  const { lines, text, totals } = await dayOf(user);
  expect(lines).toEqual([
    [0, "egg"],
    [1, "toast"],
  ]);
  expect(text).toBe("egg\ntoast");
  expect(result).toMatchObject({ duplicate: false, date: DATE, deleted_item_id: ham!.id, totals });
  expect(totals.calories).toBe(200);
});

test("deleting the last item leaves an empty day, which can be logged again", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  const result = resultOf(await remove(user, { date: DATE, query: "egg" }));
  expect(result.totals.calories).toBe(0);
  expect((await readSummary(harness.journal, user, DATE)).entries).toEqual([]);
  const [again] = await logItems(user, "egg");
  expect(again!.id).not.toBe(egg!.id);
  expect((await dayOf(user)).lines).toEqual([[0, "egg"]]);
});

test("log, delete, log again, delete again: each has an effect", async () => {
  const user = newUser();
  for (let times = 0; times < 2; times += 1) {
    await logItems(user, "egg", "ham");
    for (const query of ["egg", "ham"]) {
      expect(resultOf(await remove(user, { date: DATE, query })).duplicate).toBe(false);
    }
    expect((await dayOf(user)).lines).toEqual([]);
  }
});

test("a repeated delete by words does not delete the next best item", async () => {
  const user = newUser();
  await logItems(user, "egg", "egg salad");
  await remove(user, { date: DATE, query: "egg" });
  expect(resultOf(await remove(user, { date: DATE, query: "egg" })).duplicate).toBe(true);
  expect((await dayOf(user)).lines).toEqual([[0, "egg salad"]]);
});

test("a call with an idempotency key stays the same call after other writes", async () => {
  const user = newUser();
  await logItems(user, "egg", "egg salad");
  await remove(user, { date: DATE, query: "egg" }, "key");
  await logItems(user, "egg");
  expect(resultOf(await remove(user, { date: DATE, query: "egg" }, "key")).duplicate).toBe(true);
  expect((await dayOf(user)).lines).toHaveLength(2);
});

test("words that match several items list them and change nothing", async () => {
  const user = newUser();
  const items = await logItems(user, "fried egg", "boiled egg", "ham");
  const refusal = refusalOf(await remove(user, { date: DATE, query: "egg" }));
  expect(refusal.code).toBe("ambiguous_item");
  expect(refusal.candidates).toMatchObject([
    { itemId: items[0]!.id, date: DATE, lineIndex: 0, description: "fried egg", calories: 100 },
    { itemId: items[1]!.id, lineIndex: 1 },
  ]);
  expect((await dayOf(user)).lines).toHaveLength(3);
});

test("a deleted item is not found, and its day's nearest lines are listed", async () => {
  const user = newUser();
  const [egg, salad] = await logItems(user, "egg", "egg salad");
  await remove(user, { itemId: egg!.id }, "key");
  const refusal = refusalOf(await remove(user, { itemId: egg!.id }, "another key"));
  expect(refusal.code).toBe("item_not_found");
  expect(refusal.candidates).toMatchObject([{ itemId: salad!.id }]);
});

test("concurrent deletes and logs on one day leave lines without gaps", async () => {
  const user = newUser();
  const items = await logItems(user, ...Array.from({ length: 12 }, (_, index) => `old ${index}`));
  const second = await harness.start();
  await Promise.all([
    ...items.slice(1).map(({ id }) => remove(user, { itemId: id })),
    ...Array.from({ length: 12 }, (_, index) =>
      logFood(second, user, { foodText: `new ${index}`, date: DATE }),
    ),
  ]);
  const { lines, text } = await dayOf(user);
  expect(lines.map(([index]: [number]) => index)).toEqual(
    lines.map((_: unknown, at: number) => at),
  );
  expect(lines).toHaveLength(13);
  expect(text).toBe(lines.map(([, line]: [number, string]) => line).join("\n"));
  const rows = await harness.db.database.query(sql`
    select 1 from items where account_id = ${user.accountId} and deleted_at is null`);
  expect(rows).toHaveLength(13);
});

test("deleting the last item while others log loses none of them", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  await Promise.all([
    remove(user, { itemId: egg!.id }),
    ...[0, 1, 2].map((index) =>
      logFood(harness.journal, user, { foodText: `new ${index}`, date: DATE }),
    ),
  ]);
  expect((await dayOf(user)).lines).toHaveLength(3);
});

test("an item_id takes precedence over date and item_query, even in a retry without them", async () => {
  const user = newUser();
  const [{ id: egg } = { id: "" }] = await logItems(user, "egg", "ham");
  const first = await remove(user, { itemId: egg, date: "2026-02-30", query: "ham" });
  expect(resultOf(first)).toMatchObject({ deleted_item_id: egg, duplicate: false });
  expect(resultOf(await remove(user, { itemId: egg }))).toMatchObject({ duplicate: true });
});

test.each([
  [{ itemId: "mine" }, "item_id"],
  [{ query: "egg" }, "date"],
  [{ date: "2026-02-30", query: "egg" }, "date"],
  [{ date: DATE, query: " " }, "item_query"],
  [{}, "date"],
])("refuses the selector %o because of %s", async (item, field) => {
  const refusal = refusalOf(await remove(newUser(), item));
  expect(refusal).toMatchObject({ code: "invalid_input", field });
});
