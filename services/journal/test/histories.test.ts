import type { UserIdentity } from "@nutrition/rpc/context";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { estimate } from "./fakes.ts";
import { as, createHarness, logFood, newUser, readSummary, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";

// Of two histories each. The nightly run sets a larger number.
const RUNS = Number(process.env["HISTORIES"] ?? 100);
const DATES = ["2026-11-19", "2026-11-20"] as const;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  // Each line says its own energy in hundredths: "food 1234" has 12.34 kcal.
  harness.analysis.answer = (line) => estimate({ calories: Number(line.split(" ")[1]) / 100 });
});
afterAll(() => harness[Symbol.asyncDispose]());

/** A day as anybody would model it: its items in order, energy in hundredths of a kcal. */
interface ModelItem {
  id: string;
  line: string;
  hundredths: number;
}
type Model = Record<string, ModelItem[]>;

const amount = fc.integer({ min: 0, max: 99_999 });
const date = fc.constantFrom(...DATES);
const at = fc.nat({ max: 11 });
const step = fc.oneof(
  fc.record({
    kind: fc.constant("log" as const),
    date,
    amounts: fc.array(amount, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("edit" as const), date, at, amount }),
  fc.record({
    kind: fc.constant("merge" as const),
    date,
    ats: fc.uniqueArray(at, { minLength: 2, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("delete" as const), date, at }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let lineNumber = 0;
function newLine(hundredths: number): string {
  lineNumber += 1;
  return `food ${hundredths} ${lineNumber}`;
}

/** Makes the call, and the same change to the model; a step without its items is left out. */
async function take(user: UserIdentity, model: Model, given: Step): Promise<void> {
  const day = model[given.date]!;
  const gateway = harness.journal.client("gateway");
  if (given.kind === "log") {
    const lines = given.amounts.map(newLine);
    const request = { foodText: lines.join("\n"), date: given.date };
    const { items } = resultOf(await logFood(harness.journal, user, request));
    for (const [index, hundredths] of given.amounts.entries()) {
      day.push({ id: items[index].id, line: lines[index]!, hundredths });
    }
    return;
  }
  if (given.kind === "merge") {
    const chosen = day.filter((_, index) => given.ats.includes(index));
    if (chosen.length < 2) return;
    const mergedText = newLine(0);
    const request = { itemIds: chosen.map(({ id }) => id), mergedText };
    resultOf(await gateway.mergeFoodItems(request, as(user)));
    const [kept, ...others] = chosen as [ModelItem, ...ModelItem[]];
    kept.line = mergedText;
    kept.hundredths = chosen.reduce((sum, { hundredths }) => sum + hundredths, 0);
    model[given.date] = day.filter((item) => !others.includes(item));
    return;
  }
  const item = day[given.at];
  if (!item) return;
  if (given.kind === "delete") {
    resultOf(await gateway.deleteFoodItem({ item: { itemId: item.id } }, as(user)));
    day.splice(given.at, 1);
    return;
  }
  item.hundredths = given.amount;
  item.line = newLine(given.amount);
  const request = { item: { itemId: item.id }, replacementText: item.line };
  resultOf(await gateway.editFoodItem(request, as(user)));
}

async function expectEqual(user: UserIdentity, model: Model): Promise<void> {
  for (const day of DATES) {
    const items = model[day]!;
    const { entries, totals } = await readSummary(harness.journal, user, day);
    expect(totals.calories).toBe(items.reduce((sum, item) => sum + item.hundredths, 0) / 100);
    expect(entries).toHaveLength(items.length === 0 ? 0 : 1);
    if (items.length === 0) continue;
    expect(entries[0].food_text).toBe(items.map(({ line }) => line).join("\n"));
    expect(
      entries[0].items.map((item: { id: string; line_index: number; calories: number }) => {
        return [item.id, item.line_index, item.calories];
      }),
    ).toEqual(items.map(({ id, hundredths }, index) => [id, index, hundredths / 100]));
  }
}

test("after any history of writes by two people at once, each reads what a plain list holds", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(step, { maxLength: 12 }),
      async (...histories) => {
        await Promise.all(
          histories.map(async (history) => {
            const user = newUser();
            const model: Model = Object.fromEntries(DATES.map((day) => [day, []]));
            for (const given of history) {
              await take(user, model, given);
              await expectEqual(user, model);
            }
          }),
        );
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);
