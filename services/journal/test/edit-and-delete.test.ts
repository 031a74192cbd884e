import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import type { UserIdentity } from "@nutrition/rpc/context";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { estimate } from "./fakes.ts";
import {
  as,
  createHarness,
  logFood,
  newUser,
  parse,
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

function edit(user: UserIdentity, item: object, change: { replacementText: string } & object) {
  return harness.journal.client("gateway").editFoodItem({ item, ...change }, as(user));
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

test("a delete takes the line out, closes the gap, and gives the day as the summary shows it", async () => {
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

test("log, delete, log again, delete again: each has its effect", async () => {
  const user = newUser();
  for (let times = 0; times < 2; times += 1) {
    await logItems(user, "egg", "ham");
    for (const query of ["egg", "ham"]) {
      expect(resultOf(await remove(user, { date: DATE, query })).duplicate).toBe(false);
    }
    expect((await dayOf(user)).lines).toEqual([]);
  }
});

test("a repeated delete by words does not take the next best item", async () => {
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

test("words that several items match list them and change nothing", async () => {
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

test("an item that was deleted is not found, and its day's nearest lines are told", async () => {
  const user = newUser();
  const [egg, salad] = await logItems(user, "egg", "egg salad");
  await remove(user, { itemId: egg!.id }, "key");
  const refusal = refusalOf(await remove(user, { itemId: egg!.id }, "another key"));
  expect(refusal.code).toBe("item_not_found");
  expect(refusal.candidates).toMatchObject([{ itemId: salad!.id }]);
});

test("another person's item is the same as none", async () => {
  const [owner, other] = [newUser(), newUser()];
  const [egg] = await logItems(owner, "egg");
  await logItems(other, "ham");
  const change = { replacementText: "x" };
  const ofForeign = [
    refusalOf(await remove(other, { itemId: egg!.id })),
    refusalOf(await edit(other, { itemId: egg!.id }, change)),
  ];
  const ofNone = [
    refusalOf(await remove(other, { itemId: newId() })),
    refusalOf(await edit(other, { itemId: newId() }, change)),
  ];
  expect(ofForeign).toEqual(ofNone);
  expect((await dayOf(owner)).lines).toEqual([[0, "egg"]]);
});

test("deletes and logs at once on one day leave dense lines", async () => {
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

test("the last item deleted while others log loses none of them", async () => {
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

test("an edit replaces line and figures together, and keeps id, position and details", async () => {
  const user = newUser();
  const request = { foodText: "egg\nham", detailedDescription: "boiled", date: DATE };
  const { items } = resultOf(await logFood(harness.journal, user, request));
  harness.analysis.answer = () => estimate({ calories: 270.005, protein: 18 });
  const change = { replacementText: " 3 eggs ", correction: "It was three." };
  const result = resultOf(await edit(user, { itemId: items[0].id }, change));
  expect(harness.analysis.requests.at(-1)).toMatchObject({
    lines: ["3 eggs"],
    details: "boiled",
    correction: "It was three.",
  });
  expect(result.item).toMatchObject({
    id: items[0].id,
    description: "3 eggs",
    detailed_description: "boiled",
    calories: 270.01,
    protein: 18,
    line_index: 0,
  });
  const { lines, totals } = await dayOf(user);
  expect(lines[0]).toEqual([0, "3 eggs"]);
  expect(result.totals).toStrictEqual(totals);
  expect(totals.calories).toBe(370.01);
  const page = await harness.journal
    .client("admin")
    .listMutations({ accountId: user.accountId }, as());
  expect(page.mutations[0]).toMatchObject({ tool: "edit_food_item", itemIds: [items[0].id] });
  expect(parse(page.mutations[0]!.beforeJson)).toEqual([items[0]]);
  expect(parse(page.mutations[0]!.afterJson)).toEqual([result.item]);
});

test("a second edit that changes only the case of the line is no repetition of the first", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  for (const replacementText of ["two eggs", "Two eggs"]) {
    const result = resultOf(await edit(user, { itemId: egg!.id }, { replacementText }));
    expect(result).toMatchObject({ duplicate: false, item: { description: replacementText } });
  }
});

test("an edit ends the record of the log that made the item", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  await edit(user, { itemId: egg!.id }, { replacementText: "2 eggs" });
  const again = await logFood(harness.journal, user, { foodText: "egg", date: DATE });
  expect(resultOf(again).duplicate).toBe(false);
});

/** Changes the item behind an edit's back each time its analysis runs, `times` times. */
function changeDuringAnalysis(itemId: string, times: number): void {
  let left = times;
  harness.analysis.gate = async () => {
    if (left === 0) return;
    left -= 1;
    await harness.db.database.query(sql`
      update items set version = version + 1, description = 'changed' where id = ${itemId}`);
  };
}

test("an item that changes during the analysis is analysed once more", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  changeDuringAnalysis(egg!.id, 1);
  const before = harness.analysis.requests.length;
  resultOf(await edit(user, { itemId: egg!.id }, { replacementText: "2 eggs" }));
  expect(harness.analysis.requests.length - before).toBe(2);
  expect((await dayOf(user)).lines).toEqual([[0, "2 eggs"]]);
});

test("an item that changes again is answered as it is now, and nothing is lost", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  changeDuringAnalysis(egg!.id, 2);
  const refusal = refusalOf(await edit(user, { itemId: egg!.id }, { replacementText: "2 eggs" }));
  expect(refusal.code).toBe("item_changed");
  expect(parse(refusal.currentItemJson)).toMatchObject({ id: egg!.id, description: "changed" });
  expect((await dayOf(user)).lines).toEqual([[0, "changed"]]);
});

test.each([
  [{ replacementText: "a\nb" }, { code: "invalid_input", field: "replacement_text" }],
  [{ replacementText: " " }, { code: "invalid_input", field: "replacement_text" }],
  [{ replacementText: "a\0" }, { code: "invalid_input", field: "replacement_text" }],
  [
    { replacementText: "x".repeat(501) },
    { code: "limit_exceeded", limit: { name: "replacement_text_characters", requested: 501 } },
  ],
  [
    { replacementText: "x", correction: "x".repeat(1_499) },
    { code: "limit_exceeded", limit: { name: "correction_characters" } },
  ],
  [
    { replacementText: "x", correction: "x".repeat(1_000) },
    { code: "limit_exceeded", limit: { name: "analysis_text_characters", max: 2_000 } },
  ],
])("an edit is refused over its texts, kept details included (%#)", async (change, refusal) => {
  const user = newUser();
  const request = { foodText: "egg", detailedDescription: "d".repeat(1_000), date: DATE };
  await logFood(harness.journal, user, request);
  const refused = refusalOf(await edit(user, { date: DATE, query: "egg" }, change));
  expect(refused).toMatchObject(refusal);
});

test.each([
  [{ itemId: newId(), date: DATE }, "item_id"],
  [{ itemId: "mine" }, "item_id"],
  [{ query: "egg" }, "date"],
  [{ date: "2026-02-30", query: "egg" }, "date"],
  [{ date: DATE, query: " " }, "item_query"],
  [{}, "date"],
])("the selector %o is refused over %s", async (item, field) => {
  const refusal = refusalOf(await remove(newUser(), item));
  expect(refusal).toMatchObject({ code: "invalid_input", field });
});
