import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { listSummaries } from "../src/store/summary-store.ts";
import { as, createHarness, newUser, parse, readSummary, signedIn } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());

const ENTRY = "01900000-0000-7000-8000-000000000001";
const EGGS = "01900000-0000-7000-8000-000000000002";
const WATER = "01900000-0000-7000-8000-000000000003";
const GONE = "01900000-0000-7000-8000-000000000004";

/** A day with an item of food, one of water, and a deleted one; ids are the test's own. */
async function insertDay(
  accountId: string,
  ids = { ENTRY, EGGS, WATER, GONE },
  date = "2026-11-20",
) {
  const at = "2026-11-20T08:30:00.250Z";
  await harness.db.database.query(sql`
    insert into entries (id, account_id, date, timezone, created_at, updated_at)
    values (${ids.ENTRY}, ${accountId}, ${date}, 'Europe/Berlin', ${at}, ${at})`);
  await harness.db.database.query(sql`
    insert into items (id, entry_id, account_id, line_index, description, detailed_description,
      calories, protein, carbs, fat, sugar, fiber, sodium, is_water_entry, water_milliliters,
      confidence_score, ai_comment, provenance, created_at, updated_at, deleted_at)
    values
      (${ids.WATER}, ${ids.ENTRY}, ${accountId}, 1, '250 ml water', null, 0, null, null, null,
        null, null, null, true, 250, null, null, 'food_table', ${at}, ${at}, null),
      (${ids.EGGS}, ${ids.ENTRY}, ${accountId}, 0, '2 eggs', 'fried', 143.10, 12.56, 0.72, 9.51,
        0.37, 0, 142, false, 0, 0.9, 'Two medium eggs.', 'food_table', ${at}, ${at}, null),
      (${ids.GONE}, ${ids.ENTRY}, ${accountId}, null, 'cake', null, 999, 9, 9, 9, 9, 9, 9, false,
        0, 0.5, null, 'food_table', ${at}, ${at}, ${at})`);
}

const TOTALS = {
  calories: 143.1,
  protein: 12.56,
  carbs: 0.72,
  fat: 9.51,
  sugar: 0.37,
  fiber: 0,
  sodium: 142,
  water_milliliters: 250,
};

const ENTRY_DOCUMENT = {
  id: ENTRY,
  date: "2026-11-20",
  food_text: "2 eggs\n250 ml water",
  timezone: "Europe/Berlin",
  totals: TOTALS,
  items: [
    {
      id: EGGS,
      description: "2 eggs",
      detailed_description: "fried",
      calories: 143.1,
      protein: 12.56,
      carbs: 0.72,
      fat: 9.51,
      sugar: 0.37,
      fiber: 0,
      sodium: 142,
      is_water_entry: false,
      water_milliliters: 0,
      line_index: 0,
      ai_comment: "Two medium eggs.",
      confidence_score: 0.9,
      updated_at: "2026-11-20T08:30:00.250Z",
    },
    {
      id: WATER,
      description: "250 ml water",
      detailed_description: null,
      calories: 0,
      protein: null,
      carbs: null,
      fat: null,
      sugar: null,
      fiber: null,
      sodium: null,
      is_water_entry: true,
      water_milliliters: 250,
      line_index: 1,
      ai_comment: null,
      confidence_score: null,
      updated_at: "2026-11-20T08:30:00.250Z",
    },
  ],
  created_at: "2026-11-20T08:30:00.250Z",
  updated_at: "2026-11-20T08:30:00.250Z",
};

const NO_TOTALS = {
  calories: 0,
  protein: 0,
  carbs: 0,
  fat: 0,
  sugar: 0,
  fiber: 0,
  sodium: 0,
  water_milliliters: 0,
};

test("the reads return the documented responses, and only to their owner", async () => {
  const [user, other] = [newUser(), newUser()];
  await insertDay(user.accountId);
  await harness.db.database.query(sql`
    insert into settings (account_id, goal_calories, goal_protein, goal_water_milliliters, timezone,
      sex, birth_date, height_cm, weight_kg, activity_level, calorie_estimation_bias, updated_at)
    values (${user.accountId}, 2000, 100.5, 2500, 'Europe/Berlin', 'female', '1990-02-28', 170.5,
      64.25, 'moderate', 'lower', '2026-11-01T00:00:00Z')`);
  const gateway = harness.journal.client("gateway");

  expect(await readSummary(harness.journal, user, "2026-11-20")).toStrictEqual({
    date: "2026-11-20",
    timezone: "Europe/Berlin",
    totals: TOTALS,
    goals: {
      calories: 2000,
      protein: 100.5,
      carbs: null,
      fat: null,
      sugar: null,
      fiber: null,
      sodium: null,
      water_milliliters: 2500,
    },
    entries: [ENTRY_DOCUMENT],
  });
  const range = { startDate: "2026-11-20", endDate: "2026-11-20", limit: 14 };
  expect(parse((await gateway.listEntries(range, as(user))).json)).toStrictEqual({
    entries: [ENTRY_DOCUMENT],
    limit: 14,
  });
  expect(parse((await gateway.getSettings({}, as(user))).json)).toStrictEqual({
    nutrition_goals: {
      daily_calorie_goal: 2000,
      calories: 2000,
      protein: 100.5,
      carbs: null,
      fat: null,
      sugar: null,
      fiber: null,
      sodium: null,
      water_milliliters: 2500,
    },
    water: { enabled: true, unit: "ml", daily_goal_ml: 2500 },
    timezone: "Europe/Berlin",
    health_profile: {
      sex: "female",
      birth_date: "1990-02-28",
      height_cm: 170.5,
      weight_kg: 64.25,
      activity_level: "moderate",
    },
    calorie_estimation_bias: "lower",
    updated_at: "2026-11-01T00:00:00.000Z",
  });

  expect(await readSummary(harness.journal, other, "2026-11-20")).toStrictEqual({
    date: "2026-11-20",
    timezone: "UTC",
    totals: NO_TOTALS,
    goals: null,
    entries: [],
  });
  expect(parse((await gateway.listEntries(range, as(other))).json).entries).toEqual([]);
  expect(parse((await gateway.listWeights({ limit: 30 }, as(other))).json)).toStrictEqual({
    entries: [],
    limit: 30,
  });
  expect(parse((await gateway.getSettings({}, as(other))).json)).toBeNull();
});

test("an account with settings but no goal has null goals in the summary", async () => {
  const user = newUser();
  await harness.db.database.query(sql`
    insert into settings (account_id, updated_at) values (${user.accountId}, now())`);
  expect((await readSummary(harness.journal, user)).goals).toBeNull();
});

test.each([
  ["Pacific/Kiritimati", "2026-11-21T10:30:00Z", "2026-11-22"],
  ["Pacific/Pago_Pago", "2026-11-21T10:30:00Z", "2026-11-20"],
  ["Europe/Berlin", "2026-03-28T22:59:59Z", "2026-03-28"],
  ["Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29"],
  ["Europe/Berlin", "2026-03-29T21:59:59Z", "2026-03-29"],
  ["Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30"],
  ["America/New_York", "2026-11-02T04:59:59Z", "2026-11-01"],
  ["America/New_York", "2026-11-02T05:00:00Z", "2026-11-02"],
  ["UTC", "2026-12-31T23:59:59.999Z", "2026-12-31"],
])("today in %s at %s is %s", async (timezone, now, today) => {
  const accountId = newId();
  await harness.db.database.query(sql`
    insert into settings (account_id, timezone, updated_at)
    values (${accountId}, ${timezone}, now())`);
  const asked = { accountId, date: null, now: new Date(now) };
  const [summary] = await listSummaries(harness.db.database, [asked]);
  expect(JSON.parse(summary?.json ?? "")).toMatchObject({ date: today, timezone });
});

test("a summary without a date is today's, by the service's clock", async () => {
  expect((await readSummary(harness.journal, newUser())).date).toBe("2026-11-21");
});

test("lists entries newest date first, within the range and the limit", async () => {
  const user = newUser();
  for (const date of ["2026-11-18", "2026-11-20", "2026-11-17", "2026-11-19"]) {
    const ids = { ENTRY: newId(), EGGS: newId(), WATER: newId(), GONE: newId() };
    await insertDay(user.accountId, ids, date);
  }
  const gateway = harness.journal.client("gateway");
  const dates = async (range: { startDate?: string; endDate?: string; limit: number }) => {
    const { entries } = parse((await gateway.listEntries(range, as(user))).json);
    return entries.map((entry: { date: string }) => entry.date.slice(8));
  };
  expect(await dates({ limit: 90 })).toEqual(["20", "19", "18", "17"]);
  expect(await dates({ limit: 2 })).toEqual(["20", "19"]);
  expect(await dates({ startDate: "2026-11-18", endDate: "2026-11-19", limit: 14 })).toEqual([
    "19",
    "18",
  ]);
  expect(await dates({ endDate: "2026-11-18", limit: 14 })).toEqual(["18", "17"]);
});

test("lists daily totals oldest first, for the days with food in the range", async () => {
  const [user, other] = [newUser(), newUser()];
  for (const date of ["2026-11-20", "2026-11-18", "2026-11-17"]) {
    const ids = { ENTRY: newId(), EGGS: newId(), WATER: newId(), GONE: newId() };
    await insertDay(user.accountId, ids, date);
  }
  const list = async (account: typeof user, startDate: string, endDate: string) => {
    const range = { startDate, endDate };
    return parse((await harness.journal.client("web").listDailyTotals(range, as(account))).json);
  };
  expect(await list(user, "2026-11-18", "2026-11-20")).toStrictEqual([
    { date: "2026-11-18", totals: TOTALS },
    { date: "2026-11-20", totals: TOTALS },
  ]);
  expect(await list(other, "2026-11-18", "2026-11-20")).toEqual([]);
  expect(await list(user, "2025-11-17", "2026-11-18")).toHaveLength(2);
  const tooLong = list(user, "2025-11-17", "2026-11-19");
  await expect(tooLong).rejects.toMatchObject({ kind: "invalid_argument" });
});

test.each([
  { startDate: "2026-02-30", limit: 14 },
  { endDate: "yesterday", limit: 14 },
  { startDate: "2026-11-20", endDate: "2026-11-19", limit: 14 },
  { limit: 0 },
  { limit: 91 },
])("refuses entries for %o", async (range) => {
  const reading = harness.journal.client("gateway").listEntries(range, as(newUser()));
  await expect(reading).rejects.toMatchObject({ kind: "invalid_argument" });
});

test("reads of a user are refused to callers that may not assert one", async () => {
  const reading = harness.journal.client("admin").getSummary({}, as());
  await expect(reading).rejects.toMatchObject({ kind: "permission_denied" });
  const settings = harness.journal.client("web").getSettings({ accountId: newId() }, as());
  await expect(settings).rejects.toMatchObject({ kind: "permission_denied" });
  const foreign = { accountId: newId() };
  const others = harness.journal.client("gateway").getSettings(foreign, signedIn(newUser()));
  await expect(others).rejects.toMatchObject({ kind: "permission_denied" });
});
