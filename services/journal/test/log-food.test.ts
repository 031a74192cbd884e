import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { cannotTell, estimate } from "@nutrition/test-support/fake-services";
import { PolicyRole } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import fc from "fast-check";
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

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.analysis.answer = () => estimate({ calories: 100 });
  harness.limits.refusals.length = 0;
  harness.limits.requests.length = 0;
  harness.analysis.requests.length = 0;
});

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);

test("a log returns the documented result, with the day as the summary then shows it", async () => {
  const user = newUser();
  await harness.db.database.query(sql`
    insert into settings (account_id, goal_calories, goal_protein, timezone, updated_at)
    values (${user.accountId}, 2000, 50.5, 'Europe/Berlin', now())`);
  harness.analysis.answer = (line) =>
    line === "water"
      ? estimate({ calories: 0, water: 250 })
      : estimate({ calories: 90.005, protein: 6.284999, sodium: 70, comment: "One egg." });
  const foodText = "  egg \r\n\n water";
  const response = await logFood(harness.journal, user, {
    foodText,
    detailedDescription: " boiled ",
  });
  const result = resultOf(response);
  const totals = {
    calories: 90.01,
    protein: 6.28,
    carbs: 0,
    fat: 0,
    sugar: 0,
    fiber: 0,
    sodium: 70,
    water_milliliters: 250,
  };
  const others = { carbs: null, fat: null, sugar: null, fiber: null };
  const common = {
    id: UUID,
    detailed_description: "boiled",
    updated_at: "2026-11-21T12:00:00.000Z",
  };
  expect(result).toStrictEqual({
    duplicate: false,
    date: "2026-11-21",
    date_interpreted_as: "today in Europe/Berlin",
    timezone: "Europe/Berlin",
    entry_id: UUID,
    items: [
      {
        ...common,
        ...others,
        description: "egg",
        calories: 90.01,
        protein: 6.28,
        sodium: 70,
        is_water_entry: false,
        water_milliliters: 0,
        line_index: 0,
        ai_comment: "One egg.",
        confidence_score: 0.88,
      },
      {
        ...common,
        ...others,
        description: "water",
        calories: 0,
        protein: null,
        sodium: null,
        is_water_entry: true,
        water_milliliters: 250,
        line_index: 1,
        ai_comment: null,
        confidence_score: 0.88,
      },
    ],
    totals,
    goals: { ...others, calories: 2000, protein: 50.5, sodium: null, water_milliliters: null },
    remaining: {
      ...others,
      calories: 1909.99,
      protein: 44.22,
      sodium: null,
      water_milliliters: null,
    },
  });
  const summary = await readSummary(harness.journal, user);
  expect(summary.totals).toStrictEqual(totals);
  expect(summary.entries[0]).toMatchObject({
    id: result.entry_id,
    food_text: "egg\nwater",
    items: result.items,
  });
});

test("without goals and settings, goals and remaining are null and the zone is UTC", async () => {
  const result = resultOf(
    await logFood(harness.journal, newUser(), { foodText: "egg", date: "2026-11-01" }),
  );
  expect(result).toMatchObject({ goals: null, remaining: null, timezone: "UTC" });
});

test.each([
  ["2026-11-21", "today in Europe/Berlin"],
  ["2026-11-20", "1 day before today in Europe/Berlin"],
  ["2026-11-22", "1 day after today in Europe/Berlin"],
])("accepts the given day %s and formats it as %s", async (date, told) => {
  const user = newUser();
  await harness.db.database.query(sql`
    insert into settings (account_id, timezone, updated_at)
    values (${user.accountId}, 'Europe/Berlin', now())`);
  const result = resultOf(await logFood(harness.journal, user, { foodText: "egg", date }));
  expect(result).toMatchObject({ date, date_interpreted_as: told });
});

test("the reservation names the day, the lines and the credential; the audit record names everything", async () => {
  const user = newUser();
  const request = { foodText: "egg\nham", date: "2026-11-02", requestId: "request-1" };
  const result = resultOf(await logFood(harness.journal, user, request));
  expect(harness.limits.requests).toMatchObject([
    { journalDate: "2026-11-02", createdLines: 2, credentialId: user.credentialId },
  ]);
  const page = await harness.journal
    .client("admin")
    .listMutations({ accountId: user.accountId }, as());
  expect(page.mutations).toMatchObject([
    {
      tool: "log_food",
      origin: Origin.TOOL,
      credentialId: user.credentialId,
      entryId: result.entry_id,
      date: "2026-11-02",
      itemIds: result.items.map((item: { id: string }) => item.id),
      duplicate: false,
      requestId: "request-1",
    },
  ]);
  expect(parse(page.mutations[0]!.beforeJson)).toEqual([]);
  expect(parse(page.mutations[0]!.afterJson)).toEqual(result.items);
});

test("text is preserved as typed, in NFC", async () => {
  const user = newUser();
  const lines = ["👨‍👩‍👧 pizza", "שלום לחם", "cafe\u0301 au lait", "one, line"];
  const result = resultOf(await logFood(harness.journal, user, { foodText: lines.join("\u2028") }));
  expect(result.items.map((item: { description: string }) => item.description)).toEqual(
    lines.map((line) => line.normalize("NFC")),
  );
});

test("a line without an estimate refuses the whole call by name, and the reservation is released", async () => {
  const user = newUser();
  harness.analysis.answer = (line) =>
    line === "xyzzy" ? cannotTell("Say what food it is.") : estimate({ calories: 1 });
  const refused = refusalOf(await logFood(harness.journal, user, { foodText: "egg\nxyzzy" }));
  expect(refused).toMatchObject({
    code: "analysis_failed",
    given: "xyzzy",
    message:
      "Line 2: Say what food it is. Nothing was logged. To repeat what was eaten before, read that day with list_food_entries and log its lines; to correct a line, use edit_food_item.",
  });
  expect((await readSummary(harness.journal, user)).entries).toEqual([]);
  harness.analysis.answer = () => estimate({ calories: 1 });
  const again = resultOf(await logFood(harness.journal, user, { foodText: "egg\nxyzzy" }));
  expect(again.duplicate).toBe(false);
});

test("an operator seeds without a reservation; a user can neither seed nor name another account", async () => {
  const user = newUser();
  const request = {
    accountId: user.accountId,
    origin: Origin.SEED,
    foodText: "egg",
    date: "2026-10-01",
  };
  const seeded = await harness.journal.client("admin").logFood(request, as());
  expect(resultOf(seeded)).toMatchObject({ duplicate: false });
  expect(harness.limits.requests).toEqual([]);
  expect((await readSummary(harness.journal, user, "2026-10-01")).totals.calories).toBe(100);

  const denied = { kind: "permission_denied" };
  await expect(logFood(harness.journal, user, request)).rejects.toMatchObject(denied);
  const foreign = { foodText: "egg", accountId: newId() };
  await expect(logFood(harness.journal, user, foreign)).rejects.toMatchObject(denied);
});

test("a person's own corrections are sent to the analysis, those with the same words first", async () => {
  const [user, other] = [newUser(), newUser()];
  for (const [owner, foodText] of [
    [user, "my porridge"],
    [user, "my bread"],
    [other, "their porridge"],
  ] as const) {
    await logFood(harness.journal, owner, { foodText });
  }
  await harness.db.database.query(sql`
    update items set corrected = true, updated_at = updated_at +
      case description when 'my bread' then interval '1 second' else interval '0' end`);
  await logFood(harness.journal, user, { foodText: "My Porridge", date: "2026-11-03" });
  const remembered = harness.analysis.requests.at(-1)?.remembered.map(({ text }) => text);
  expect(remembered).toEqual(["my porridge", "my bread"]);
});

test("totals are the exact decimal sums of the rounded figures", async () => {
  const amount = fc.integer({ min: 0, max: 99_999_999 }).map((thousandths) => thousandths / 1_000);
  const line = fc.record({ calories: amount, protein: fc.option(amount, { nil: undefined }) });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (figures) => {
      const user = newUser();
      let next = 0;
      harness.analysis.answer = () => {
        const { calories, protein } = figures[next++]!;
        return estimate(protein === undefined ? { calories } : { calories, protein });
      };
      const foodText = figures.map((_, index) => `food ${index}`).join("\n");
      const { totals } = resultOf(await logFood(harness.journal, user, { foodText }));
      expect(totals.calories).toBe(sumOfRounded(figures.map(({ calories }) => calories)));
      expect(totals.protein).toBe(sumOfRounded(figures.map(({ protein }) => protein ?? 0)));
      expect((await readSummary(harness.journal, user)).totals).toStrictEqual(totals);
    }),
    { numRuns: 25 },
  );
});

/** The sum in hundredths as integers, each figure rounded half away from zero by its decimals. */
function sumOfRounded(figures: number[]): number {
  const hundredths = figures.map((figure) => Math.floor((Math.round(figure * 1_000) + 5) / 10));
  return hundredths.reduce((sum, value) => sum + value, 0) / 100;
}

test("details are stored with the line they are about, and whole where the analysis does not say", async () => {
  const user = newUser();
  const detailed = { ...estimate({ calories: 100 }), details: "the apple was 300 g" };
  harness.analysis.answer = (line) =>
    line === "apple" ? detailed : { ...estimate({ calories: 5 }), details: "" };
  const foodText = "banana\napple";
  const detailedDescription = "the apple was 300 g";
  const { items } = resultOf(
    await logFood(harness.journal, user, { foodText, detailedDescription }),
  );
  expect(
    items.map((item: { detailed_description: string | null }) => item.detailed_description),
  ).toEqual([null, "the apple was 300 g"]);
  harness.analysis.answer = () => estimate({ calories: 100 });
  const other = { foodText: "pear\nplum", detailedDescription: "ripe" };
  const untold = resultOf(await logFood(harness.journal, user, other));
  const kept = untold.items.map(
    (item: { detailed_description: string | null }) => item.detailed_description,
  );
  expect(kept).toEqual(["ripe", "ripe"]);
});

test("a write reports the nearest cap on writes and on lines, and a retry reports the same", async () => {
  const user = newUser();
  const { COOLDOWN, WRITES, LINES } = PolicyRole;
  const policy = (name: string, role: PolicyRole, max: number, remaining: number) => {
    return { name, role, max, windowSeconds: 3_600, remaining };
  };
  harness.limits.left = [
    policy("cooldown", COOLDOWN, 1, 0),
    policy("mutations-10-minutes", WRITES, 12, 11),
    policy("each-hour", WRITES, 25, 4),
    policy("mutations-of-lines", LINES, 100, 7),
    policy("lines-hour", LINES, 60, 8),
  ];
  const first = resultOf(await logFood(harness.journal, user, { foodText: "egg" }));
  expect(first.limits).toEqual([
    { name: "each-hour", max: 25, window_seconds: 3_600, remaining: 4 },
    { name: "mutations-of-lines", max: 100, window_seconds: 3_600, remaining: 7 },
  ]);
  harness.limits.left = [];
  const again = resultOf(await logFood(harness.journal, user, { foodText: "egg" }));
  expect(again).toEqual({ ...first, duplicate: true });
});
