import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type { FakeEstimate } from "@nutrition/test-support/fake-services";
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
let figures: Record<string, FakeEstimate>;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
  harness.analysis.answer = (line) => estimate(figures[line] ?? { calories: 100 });
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  figures = {};
});

async function logItems(user: UserIdentity, lines: string[], options: object = {}) {
  const request = { foodText: lines.join("\n"), date: DATE, ...options };
  const { items } = resultOf(await logFood(harness.journal, user, request));
  return items.map((item: { id: string }) => item.id) as string[];
}

function merge(user: UserIdentity, request: object) {
  const complete = { mergedText: "merged", ...request };
  return harness.journal.client("gateway").mergeFoodItems(complete, as(user));
}

test("a merge sums exactly, keeps the first item's id and position, and closes the gaps", async () => {
  const user = newUser();
  figures = {
    egg: { calories: 90.01, protein: 6.1 },
    ham: { calories: 0.02, protein: 0.2, carbs: 1 },
    tea: { calories: 1, water: 200 },
  };
  const [, egg, , ham, tea] = await logItems(user, ["bread", "egg", "jam", "ham", "tea"]);
  const before = await readSummary(harness.journal, user, DATE);
  const analysed = harness.analysis.requests.length;
  const result = resultOf(await merge(user, { itemIds: [tea, ham, egg], mergedText: " brunch " }));
  expect(result.item).toMatchObject({
    id: egg,
    description: "brunch",
    line_index: 1,
    calories: 91.03,
    protein: 6.3,
    carbs: 1,
    fat: null,
    is_water_entry: false,
    water_milliliters: 200,
    confidence_score: 0.88,
    ai_comment: "Merged from 3 items.",
  });
  expect(harness.analysis.requests).toHaveLength(analysed);
  const after = await readSummary(harness.journal, user, DATE);
  expect(after.entries[0].food_text).toBe("bread\nbrunch\njam");
  expect(after.entries[0].items.map((item: { line_index: number }) => item.line_index)).toEqual([
    0, 1, 2,
  ]);
  expect(after.totals).toStrictEqual(before.totals);
  expect(result.totals).toStrictEqual(before.totals);
});

test("water stays water only when merged with water", async () => {
  const user = newUser();
  figures = { "water 1": { calories: 0, water: 200 }, "water 2": { calories: 0, water: 300 } };
  await logItems(user, ["water 1", "water 2"]);
  const result = resultOf(await merge(user, { date: DATE, itemQueries: ["water 1", "water 2"] }));
  expect(result.item).toMatchObject({ is_water_entry: true, water_milliliters: 500 });
});

test("details are joined in order, shared ones once", async () => {
  const user = newUser();
  const [a, b] = await logItems(user, ["a", "b"], { detailedDescription: "first" });
  const [c] = await logItems(user, ["c"], { detailedDescription: "second" });
  const result = resultOf(await merge(user, { itemIds: [c, b, a] }));
  expect(result.item.detailed_description).toBe("first\nsecond");
});

test("details are kept whole, however long they are together", async () => {
  const user = newUser();
  const details = ["a".repeat(1_498), "b".repeat(1_498)];
  const [a] = await logItems(user, ["a"], { detailedDescription: details[0]! });
  const [b] = await logItems(user, ["b"], { detailedDescription: details[1]! });
  const result = resultOf(await merge(user, { itemIds: [a, b] }));
  expect(result.item.detailed_description).toBe(details.join("\n"));
  const edit = { item: { itemId: a }, replacementText: "a" };
  const client = harness.journal.client("gateway");
  const refusal = refusalOf(await client.editFoodItem(edit, as(user)));
  expect(refusal).toMatchObject({
    code: "limit_exceeded",
    message: expect.stringMatching(/stored details.*Give a shorter detailed_description/),
    limit: { name: "analysis_text_characters", max: 2_000, requested: 3_000 },
  });
  const shorter = { ...edit, detailedDescription: "c" };
  expect(resultOf(await client.editFoodItem(shorter, as(user))).item).toMatchObject({
    detailed_description: "c",
  });
});

test("a refusal names the failed query, and what to give instead", async () => {
  const user = newUser();
  await logItems(user, ["egg", "ham", "ham roll"]);
  const mergeQueries = async (...itemQueries: string[]) =>
    refusalOf(await merge(user, { date: DATE, itemQueries }));
  expect(await mergeQueries("egg", "cheese")).toMatchObject({
    code: "item_not_found",
    field: "item_queries",
    given: "cheese",
    message: expect.stringMatching(/item_queries\[1\],.*call again with item_ids/),
  });
  expect(await mergeQueries("hams", "egg")).toMatchObject({
    code: "ambiguous_item",
    field: "item_queries",
    given: "hams",
    message: expect.stringMatching(/item_queries\[0\] matches 2 items/),
    candidates: [{ description: "ham" }, { description: "ham roll" }],
  });
});

test("items of two days, or of another person, cannot be merged", async () => {
  const [user, other] = [newUser(), newUser()];
  const [a] = await logItems(user, ["a"]);
  const [b] = await logItems(user, ["b"], { date: "2026-11-19" });
  const [foreign] = await logItems(other, ["c"]);
  expect(refusalOf(await merge(user, { itemIds: [a, b] })).code).toBe("not_same_entry");
  const ofForeign = refusalOf(await merge(user, { itemIds: [a, foreign] }));
  expect(ofForeign).toEqual(refusalOf(await merge(user, { itemIds: [a, newId()] })));
  expect(ofForeign.code).toBe("item_not_found");
});

test.each([
  [{ itemIds: ["a"] }, { code: "invalid_input", field: "item_ids" }],
  [
    { itemIds: ["a", "b"], date: DATE },
    { code: "invalid_input", field: "item_ids" },
  ],
  [{ itemIds: ["a", "b"] }, { code: "invalid_input", field: "item_ids" }],
  [{ itemQueries: ["a", "b"] }, { code: "invalid_input", field: "date" }],
  [
    { date: DATE, itemQueries: ["egg", " "] },
    { code: "invalid_input", field: "item_queries" },
  ],
  [
    { date: DATE, itemQueries: ["egg", "EGG"] },
    { code: "invalid_input", field: "item_ids" },
  ],
  [{ date: DATE, itemQueries: ["egg", "h"] }, { code: "item_not_found" }],
  [
    { date: DATE, itemQueries: ["egg", "ham"], mergedText: "a\nb" },
    { code: "invalid_input", field: "merged_text" },
  ],
  [
    { itemIds: Array.from({ length: 9 }, newId) },
    { code: "limit_exceeded", limit: { name: "merge_items", max: 8, requested: 9 } },
  ],
])("refuses the merge %o", async (request, refusal) => {
  const user = newUser();
  await logItems(user, ["egg", "ham"]);
  expect(refusalOf(await merge(user, request))).toMatchObject(refusal);
});

test("concurrent merges and deletes of the same items leave lines without gaps and exact totals", async () => {
  const user = newUser();
  const ids = await logItems(user, ["a", "b", "c", "d", "e", "f"]);
  const second = await harness.start();
  const calls = [
    merge(user, { itemIds: ids.slice(0, 3), mergedText: "one" }),
    merge(user, { itemIds: ids.slice(2, 5), mergedText: "two" }),
    second.client("gateway").deleteFoodItem({ item: { itemId: ids[3]! } }, as(user)),
  ];
  await Promise.all(calls);
  const { entries, totals } = await readSummary(harness.journal, user, DATE);
  const items = entries[0].items as { line_index: number; calories: number; description: string }[];
  expect(items.map((item) => item.line_index)).toEqual(items.map((_, index) => index));
  expect(entries[0].food_text).toBe(items.map((item) => item.description).join("\n"));
  expect(totals.calories).toBe(items.reduce((sum, item) => sum + item.calories, 0));
});
