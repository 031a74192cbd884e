import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";

const DAY = "2026-11-20";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  harness.analysis.answer = (line) => ({
    ...estimate({ calories: 100 }),
    occasion: /breakfast|lunch/.exec(line)?.[0] ?? "",
  });
});
afterAll(() => harness[Symbol.asyncDispose]());

async function occasionsOf(user: ReturnType<typeof newUser>) {
  const request = { date: DAY };
  return (await harness.journal.client("web").listOccasions(request, as(user))).occasions;
}

async function log(user: ReturnType<typeof newUser>, foodText: string): Promise<string[]> {
  const { items } = resultOf(await logFood(harness.journal, user, { foodText, date: DAY }));
  return items.map(({ id }: { id: string }) => id);
}

test("stores the meal that a line mentions, and never shows it to another person", async () => {
  const [user, other] = [newUser(), newUser()];
  const [egg = "", tea] = await log(user, "egg for breakfast\ntea");
  expect(tea).toBeDefined();
  expect(await occasionsOf(user)).toEqual({ [egg]: "breakfast" });
  expect(await occasionsOf(other)).toEqual({});
});

test("an edit keeps the meal unless its line mentions another", async () => {
  const user = newUser();
  const [item = ""] = await log(user, "egg for breakfast");
  const edit = (replacementText: string) =>
    harness.journal
      .client("gateway")
      .editFoodItem({ item: { itemId: item }, replacementText }, as(user));
  resultOf(await edit("two eggs"));
  expect(await occasionsOf(user)).toEqual({ [item]: "breakfast" });
  resultOf(await edit("two eggs for lunch"));
  expect(await occasionsOf(user)).toEqual({ [item]: "lunch" });
});

test("a merged item keeps a meal only if all its items had the same one", async () => {
  const user = newUser();
  const [egg = "", ham = "", tea = ""] = await log(user, "egg for lunch\nham for lunch\ntea");
  const merge = (itemIds: string[]) =>
    harness.journal.client("gateway").mergeFoodItems({ itemIds, mergedText: "all" }, as(user));
  resultOf(await merge([egg, ham]));
  expect(await occasionsOf(user)).toEqual({ [egg]: "lunch" });
  resultOf(await merge([egg, tea]));
  expect(await occasionsOf(user)).toEqual({});
});
