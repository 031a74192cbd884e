import type { MessageInitShape } from "@bufbuild/protobuf";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { ImportedItemSchema } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, parse, readSummary, resultOf } from "./harness.ts";
import type { Harness, JournalInstance } from "./harness.ts";

const DATE = "2024-05-01";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

type Item = Extract<MessageInitShape<typeof ImportedItemSchema>, { $typeName?: never }>;

function item(externalId: string, rest: Item = {}): Item {
  return { externalId, date: DATE, description: `food ${externalId}`, calories: 100, ...rest };
}

interface Batch {
  items: Item[];
  source?: string;
  dryRun?: boolean;
  instance?: JournalInstance;
}

function send(
  { accountId }: UserIdentity,
  { items, source = "cronometer", dryRun = false, instance = harness.journal }: Batch,
) {
  return instance.client("admin").importItems({ accountId, source, items, dryRun }, as());
}

async function linesOf(user: UserIdentity, date = DATE): Promise<string[]> {
  const { entries } = await readSummary(harness.journal, user, date);
  return entries[0]?.items.map((one: { description: string }) => one.description) ?? [];
}

test("imported items keep their order and figures, count in totals, and use no limits", async () => {
  const user = newUser();
  const reserved = harness.limits.requests.length;
  const answer = await send(user, {
    items: [
      item("a", { description: "Oats (80 g)", calories: 311.005, protein: 10.7, carbs: 54.8 }),
      item("b", { description: "Water (1 cup)", calories: 0, waterMilliliters: 236.59 }),
      item("c", { date: "2024-05-02", detailedDescription: "at the beach" }),
    ],
  });
  expect(answer).toMatchObject({ imported: 3, skipped: 0, problems: [] });
  const { entries, totals } = await readSummary(harness.journal, user, DATE);
  expect(entries[0].food_text).toBe("Oats (80 g)\nWater (1 cup)");
  expect(entries[0].items).toMatchObject([
    { calories: 311.01, protein: 10.7, fat: null, is_water_entry: false, confidence_score: null },
    { calories: 0, is_water_entry: true, water_milliliters: 236.59 },
  ]);
  expect(totals).toMatchObject({ calories: 311.01, protein: 10.7, water_milliliters: 236.59 });
  const next = await readSummary(harness.journal, user, "2024-05-02");
  expect(next.entries[0].items[0].detailed_description).toBe("at the beach");
  expect(harness.limits.requests).toHaveLength(reserved);
  const page = await harness.journal
    .client("admin")
    .listMutations({ accountId: user.accountId, date: DATE }, as());
  expect(page.mutations).toMatchObject([
    { tool: "import_items", origin: Origin.IMPORT, credentialId: "" },
  ]);
  expect(parse(page.mutations[0]!.afterJson)).toEqual(entries[0].items);
});

test("a second import adds only what is new, and leaves changed and deleted items alone", async () => {
  const user = newUser();
  const items = [item("a"), item("b"), item("c")];
  await send(user, { items });
  const gateway = harness.journal.client("gateway");
  await gateway.deleteFoodItem({ item: { date: DATE, query: "food a" } }, as(user));
  const change = { item: { date: DATE, query: "food b" }, replacementText: "my b" };
  await gateway.editFoodItem(change, as(user));
  const again = await send(user, { items: [...items, item("d")] });
  expect(again).toMatchObject({ imported: 1, skipped: 3 });
  expect(await linesOf(user)).toEqual(["my b", "food c", "food d"]);
});

test("ids of another source or person are different items", async () => {
  const [user, other] = [newUser(), newUser()];
  await send(user, { items: [item("a")] });
  expect(await send(user, { items: [item("a")], source: "myfitnesspal" })).toMatchObject({
    imported: 1,
  });
  expect(await send(other, { items: [item("a")] })).toMatchObject({ imported: 1, skipped: 0 });
});

test("a dry run reports the same as the import and changes nothing", async () => {
  const user = newUser();
  await send(user, { items: [item("a")] });
  const items = [item("a"), item("b"), item("c", { description: "" })];
  const dry = await send(user, { items, dryRun: true });
  expect(dry).toMatchObject({ imported: 1, skipped: 1, problems: [{ externalId: "c" }] });
  expect(await linesOf(user)).toEqual(["food a"]);
  expect(await send(user, { items })).toEqual(dry);
  expect(await linesOf(user)).toEqual(["food a", "food b"]);
});

test.each<[string, Item, RegExp]>([
  ["a line that is too long", { description: "x".repeat(501) }, /500/],
  ["no line", { description: " " }, /one line/],
  ["two lines", { description: "a\u2028b" }, /one line/],
  ["a control character", { description: "a\u001b[2J" }, /control/],
  ["a control character in the details", { detailedDescription: "a\0" }, /control/],
  ["details that are too long", { detailedDescription: "x".repeat(1_499) }, /1498/],
  [
    "texts that are too long together",
    { description: "x".repeat(500), detailedDescription: "y".repeat(1_499) },
    /1498|2000/,
  ],
  ["a day that does not exist", { date: "2026-02-30" }, /YYYY-MM-DD/],
  ["a negative figure", { fat: -1 }, /figure/],
  ["a figure that is not a number", { calories: Number.NaN }, /figure/],
  ["an infinite figure", { waterMilliliters: Number.POSITIVE_INFINITY }, /figure/],
  ["a figure that is too large", { sodium: 10_000_000 }, /figure/],
  ["no external id", { externalId: "" }, /external_id/],
  ["an external id that is too long", { externalId: "x".repeat(201) }, /external_id/],
  ["the external id of another in the batch", { externalId: "good" }, /twice/],
])("refuses %s with the reason, and stores the others", async (_, wrong, reason) => {
  const user = newUser();
  const bad = item("bad", wrong);
  const answer = await send(user, { items: [item("good"), bad] });
  expect(answer).toMatchObject({ imported: 1, problems: [{ externalId: bad.externalId }] });
  expect(answer.problems[0]!.message).toMatch(reason);
  expect(await linesOf(user)).toEqual(["food good"]);
});

test.each([
  ["no items", { items: [] }],
  ["more than 500", { items: Array.from({ length: 501 }, (_, index) => item(String(index))) }],
  ["an unknown source", { items: [item("a")], source: "diary" }],
])("refuses a batch with %s as a whole", async (_, batch) => {
  await expect(send(newUser(), batch)).rejects.toMatchObject({ kind: "invalid_argument" });
});

test("only operators can import", async () => {
  const { accountId, ...user } = newUser();
  const request = { accountId, source: "cronometer", items: [item("a")] };
  for (const caller of ["gateway", "web"] as const) {
    const call = harness.journal.client(caller);
    const importing = call.importItems(request, as({ accountId, ...user }));
    await expect(importing).rejects.toMatchObject({ kind: "permission_denied" });
  }
});

test("an import fills a day up to 200 lines and reports what it omitted", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "my own egg", date: DATE });
  const items = Array.from({ length: 202 }, (_, index) => item(String(index)));
  const answer = await send(user, { items });
  expect(answer.imported).toBe(199);
  expect(answer.problems.map(({ externalId }) => externalId)).toEqual(["199", "200", "201"]);
  const lines = await linesOf(user);
  expect(lines).toHaveLength(200);
  expect(lines.slice(0, 2)).toEqual(["my own egg", "food 0"]);
});

test("concurrent copies of a batch are stored once, beside logged lines", async () => {
  const user = newUser();
  const second = await harness.start();
  const items = Array.from({ length: 60 }, (_, index) =>
    item(String(index), { date: `2024-05-0${(index % 3) + 1}` }),
  );
  const [logged, ...answers] = await Promise.all([
    logFood(second, user, { foodText: "egg", date: DATE }),
    ...[harness.journal, second, harness.journal, second].map((instance) =>
      send(user, { items, instance }),
    ),
  ]);
  resultOf(logged);
  expect(answers.reduce((sum, { imported }) => sum + imported, 0)).toBe(60);
  expect(answers.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(180);
  const lines = (await linesOf(user)).filter((line) => line !== "egg");
  expect(lines).toEqual(Array.from({ length: 20 }, (_, index) => `food ${index * 3}`));
});

test("totals are the exact sums of imported hundredths", async () => {
  const hundredths = fc.option(fc.integer({ min: 0, max: 99_999_999 }), { nil: null });
  const figures = fc.array(fc.record({ calories: fc.nat(99_999_999), protein: hundredths }), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(figures, async (rows) => {
      const user = newUser();
      const items = rows.map(({ calories, protein }, index) =>
        item(String(index), {
          calories: calories / 100,
          ...(protein === null ? {} : { protein: protein / 100 }),
        }),
      );
      await send(user, { items });
      const { totals } = await readSummary(harness.journal, user, DATE);
      const sum = (values: number[]) => values.reduce((all, value) => all + value, 0) / 100;
      expect(totals.calories).toBe(sum(rows.map(({ calories }) => calories)));
      expect(totals.protein).toBe(sum(rows.map(({ protein }) => protein ?? 0)));
    }),
    { numRuns: 20 },
  );
});

test("an import ends the record of a call that selected items of the day by words", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "food a", date: DATE });
  const remove = () =>
    harness.journal
      .client("gateway")
      .deleteFoodItem({ item: { date: DATE, query: "food a" } }, as(user));
  await remove();
  await send(user, { items: [item("a")] });
  expect(resultOf(await remove()).duplicate).toBe(false);
  const rows = await harness.db.database.query(sql`
    select 1 from items where account_id = ${user.accountId} and deleted_at is null`);
  expect(rows).toEqual([]);
});
