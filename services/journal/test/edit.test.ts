import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import { cannotTell, estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

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
  expect(result.previous_line).toBe("egg");
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

test("a second edit that changes only the case of the line is not a retry of the first", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  for (const replacementText of ["two eggs", "Two eggs"]) {
    const result = resultOf(await edit(user, { itemId: egg!.id }, { replacementText }));
    expect(result).toMatchObject({ duplicate: false, item: { description: replacementText } });
  }
});

test("an edit ends the record of the log that created the item", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  await edit(user, { itemId: egg!.id }, { replacementText: "2 eggs" });
  const again = await logFood(harness.journal, user, { foodText: "egg", date: DATE });
  expect(resultOf(again).duplicate).toBe(false);
});

/** Changes the item behind an edit's back during its first `times` analyses. */
function changeDuringAnalysis(itemId: string, times: number): void {
  let left = times;
  harness.analysis.gate = async () => {
    if (left === 0) return;
    left -= 1;
    await harness.db.database.query(sql`
      update items set version = version + 1, description = 'changed' where id = ${itemId}`);
  };
}

test("an item that changes during the analysis is analyzed once more", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  changeDuringAnalysis(egg!.id, 1);
  const before = harness.analysis.requests.length;
  resultOf(await edit(user, { itemId: egg!.id }, { replacementText: "2 eggs" }));
  expect(harness.analysis.requests.length - before).toBe(2);
  expect((await dayOf(user)).lines).toEqual([[0, "2 eggs"]]);
});

test("an item that changes again is returned in its current state, and nothing is lost", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  changeDuringAnalysis(egg!.id, 2);
  const refusal = refusalOf(await edit(user, { itemId: egg!.id }, { replacementText: "2 eggs" }));
  expect(refusal.code).toBe("item_changed");
  expect(parse(refusal.currentItemJson)).toMatchObject({ id: egg!.id, description: "changed" });
  expect((await dayOf(user)).lines).toEqual([[0, "changed"]]);
});

test("an edit without an estimate changes nothing and says so", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  const before = await dayOf(user);
  harness.analysis.answer = () => cannotTell("Say what food it is.");
  const refused = refusalOf(await edit(user, { itemId: egg!.id }, { replacementText: "xyzzy" }));
  expect(refused).toMatchObject({
    code: "analysis_failed",
    field: "replacement_text",
    given: "xyzzy",
    message: "Line 1: Say what food it is. Nothing was changed.",
  });
  expect(await dayOf(user)).toEqual(before);
});

test("of concurrent edits of one item, none is lost unnoticed", async () => {
  const user = newUser();
  const [egg] = await logItems(user, "egg");
  const second = await harness.start();
  const count = 10;
  const begun = harness.analysis.requests.length;
  const { open } = harness.analysis.closeGate();
  const edits = Array.from({ length: count }, (_, index) => {
    const client = (index % 2 ? second : harness.journal).client("gateway");
    const request = { item: { itemId: egg!.id }, replacementText: `${index} eggs` };
    return client.editFoodItem(request, as(user));
  });
  await expect.poll(() => harness.analysis.requests).toHaveLength(begun + count);
  open();
  const answers = await Promise.all(edits);
  // All but the first were analyzed for an item that has changed, so they were analyzed again.
  expect(harness.analysis.requests.length).toBe(begun + 2 * count - 1);
  const page = await harness.journal
    .client("admin")
    .listMutations({ accountId: user.accountId, pageSize: 50 }, as());
  const made = page.mutations.filter(({ tool }) => tool === "edit_food_item").toReversed();
  const states = made.map(({ afterJson }) => parse(afterJson)[0].description);
  expect(made.map(({ beforeJson }) => parse(beforeJson)[0].description)).toEqual([
    "egg",
    ...states.slice(0, -1),
  ]);
  for (const [index, answer] of answers.entries()) {
    const wasMade = states.includes(`${index} eggs`);
    if (wasMade) resultOf(answer);
    else {
      const refusal = refusalOf(answer);
      expect(refusal.code).toBe("item_changed");
      expect(states).toContain(parse(refusal.currentItemJson).description);
    }
  }
  expect((await dayOf(user)).lines).toEqual([[0, states.at(-1)]]);
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
])("refuses an edit because of its texts, including kept details (%#)", async (change, refusal) => {
  const user = newUser();
  const request = { foodText: "egg", detailedDescription: "d".repeat(1_000), date: DATE };
  await logFood(harness.journal, user, request);
  const refused = refusalOf(await edit(user, { date: DATE, query: "egg" }, change));
  expect(refused).toMatchObject(refusal);
});
