import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@nutrition/core/ids";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, newUser, parse, readSummary, signedIn } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());

const web = () => harness.journal.client("web");

test("an update changes the fields of its mask, clears absent ones, and leaves the others", async () => {
  const user = newUser();
  await web().updateSettings(
    {
      settings: {
        goals: { calories: 2000, protein: 99.999, waterMilliliters: 2500 },
        waterUnit: "fl_oz",
        timezone: "america/new_york",
        healthProfile: { sex: "male", heightCm: 180 },
      },
      updateMask: { paths: ["goals", "water_unit", "timezone", "health_profile"] },
    },
    signedIn(user),
  );
  const { json } = await web().updateSettings(
    {
      settings: { goals: { calories: 1 }, waterEnabled: false, calorieEstimationBias: "higher" },
      updateMask: { paths: ["goals.protein", "water_enabled", "calorie_estimation_bias"] },
    },
    signedIn(user),
  );
  expect(parse(json)).toStrictEqual({
    nutrition_goals: {
      daily_calorie_goal: 2000,
      calories: 2000,
      protein: null,
      carbs: null,
      fat: null,
      sugar: null,
      fiber: null,
      sodium: null,
      water_milliliters: 2500,
    },
    water: { enabled: false, unit: "fl_oz", daily_goal_ml: 2500 },
    timezone: "America/New_York",
    health_profile: {
      sex: "male",
      birth_date: null,
      height_cm: 180,
      weight_kg: null,
      activity_level: null,
    },
    calorie_estimation_bias: "higher",
    updated_at: "2026-11-21T12:00:00.000Z",
  });
  const read = await harness.journal.client("gateway").getSettings({}, as(user));
  expect(parse(read.json)).toStrictEqual(parse(json));
});

test.each([
  [{ timezone: "Mars/Olympus" }, "timezone"],
  [{ timezone: "+02:00" }, "timezone"],
  [{}, "timezone"],
  [{ goals: { calories: -1 } }, "goals.calories"],
  [{ goals: { sodium: 100_001 } }, "goals.sodium"],
  [{ goals: { fat: Number.NaN } }, "goals.fat"],
  [{ waterUnit: "gallon" }, "water_unit"],
  [{ healthProfile: { birthDate: "1990-02-30" } }, "health_profile.birth_date"],
  [{ units: { energy: "kj" } }, "units.energy"],
  [{ units: { weight: "stone" } }, "units.weight"],
  [{}, "units.height"],
  [{ calorieEstimationBias: "much" }, "calorie_estimation_bias"],
  [{}, "goal"],
])("refuses settings %o for %s and changes nothing", async (settings, path) => {
  const user = newUser();
  const update = web().updateSettings({ settings, updateMask: { paths: [path] } }, signedIn(user));
  await expect(update).rejects.toMatchObject({ kind: "invalid_argument" });
  const read = await harness.journal.client("gateway").getSettings({}, as(user));
  expect(parse(read.json)).toBeNull();
});

test("units of display are kept beside the settings, which stay metric", async () => {
  const user = newUser();
  const chosen = { energy: "kJ", weight: "st", height: "ft" };
  const unitsNow = async () =>
    (await harness.journal.client("web").getSettings({}, signedIn(user))).units;
  expect(await unitsNow()).toMatchObject({ energy: "kcal", weight: "kg", height: "cm" });
  const settings = { units: chosen, healthProfile: { heightCm: 180 } };
  const updateMask = { paths: ["units", "health_profile.height_cm"] };
  const { json } = await web().updateSettings({ settings, updateMask }, signedIn(user));
  expect(parse(json)).toMatchObject({ health_profile: { height_cm: 180 } });
  expect(parse(json)).not.toHaveProperty("units");
  expect(await unitsNow()).toMatchObject(chosen);
});

test("only the person's own session or an operator can change settings", async () => {
  const user = newUser();
  const request = { settings: { timezone: "Asia/Tokyo" }, updateMask: { paths: ["timezone"] } };
  const withKey = web().updateSettings(request, as(user));
  await expect(withKey).rejects.toMatchObject({ kind: "permission_denied" });
  const operator = harness.journal.client("admin");
  await operator.updateSettings({ ...request, accountId: user.accountId }, as());
  expect((await readSummary(harness.journal, user)).timezone).toBe("Asia/Tokyo");
  const unnamed = operator.updateSettings(request, as());
  await expect(unnamed).rejects.toMatchObject({ kind: "invalid_argument" });
});

test("weights are listed newest first, replaced by id, and dated in the person's zone", async () => {
  const [user, other] = [newUser(), newUser()];
  await web().updateSettings(
    { settings: { timezone: "Pacific/Auckland" }, updateMask: { paths: ["timezone"] } },
    signedIn(user),
  );
  const [older, newer, gone] = [newId(), newId(), newId()];
  const put = (weightId: string, weightKg: number, at: string, words = {}) => {
    const recordedAt = timestampFromDate(new Date(at));
    return web().putWeight({ weightId, weightKg, recordedAt, ...words }, signedIn(user));
  };
  const words = { source: "scale", notes: "after a run" };
  await put(newer, 70.456, "2026-11-20T12:00:00Z", words);
  await put(older, 71, "2026-11-01T10:59:59Z");
  await put(gone, 72, "2026-11-10T00:00:00Z");
  await put(older, 71.5, "2026-11-01T10:59:59Z");
  await web().deleteWeight({ weightId: newer }, signedIn(other));
  await web().deleteWeight({ weightId: gone }, signedIn(user));
  await web().deleteWeight({ weightId: gone }, signedIn(user));

  const read = async (limit: number) =>
    parse((await harness.journal.client("gateway").listWeights({ limit }, as(user))).json);
  const stamps = {
    created_at: "2026-11-21T12:00:00.000Z",
    updated_at: "2026-11-21T12:00:00.000Z",
  };
  const newest = {
    id: newer,
    weight_kg: 70.46,
    recorded_at: "2026-11-20T12:00:00.000Z",
    recorded_date: "2026-11-21",
    source: "scale",
    notes: "after a run",
    ...stamps,
  };
  const oldest = {
    id: older,
    weight_kg: 71.5,
    recorded_at: "2026-11-01T10:59:59.000Z",
    recorded_date: "2026-11-01",
    source: null,
    notes: null,
    ...stamps,
  };
  expect(await read(365)).toStrictEqual({ entries: [newest, oldest], limit: 365 });
  expect(await read(1)).toStrictEqual({ entries: [newest], limit: 1 });
});

test.each([
  { weightKg: 0 },
  { weightKg: 1_000.01 },
  { weightKg: Number.NaN },
  { weightId: "mine" },
  { recordedAt: timestampFromDate(new Date("2026-11-23T00:00:00Z")) },
  { recordedAt: undefined },
  { notes: "x".repeat(201) },
])("refuses the weight %o", async (wrong) => {
  const recordedAt = timestampFromDate(new Date("2026-11-20T00:00:00Z"));
  const request = { weightId: newId(), weightKg: 70, recordedAt, ...wrong };
  await expect(
    web().putWeight(request as typeof request, signedIn(newUser())),
  ).rejects.toMatchObject({ kind: "invalid_argument" });
});

test("a weight is found on the day on which it was in the person's zone, by that person only", async () => {
  const [user, stranger] = [newUser(), newUser()];
  const timezone = "Pacific/Kiritimati";
  const updateMask = { paths: ["timezone"] };
  await web().updateSettings({ settings: { timezone }, updateMask }, signedIn(user));
  // 14 hours ahead of UTC, it is the next day.
  const recordedAt = timestampFromDate(new Date("2026-03-01T11:00:00Z"));
  await web().putWeight({ weightId: newId(), weightKg: 71.25, recordedAt }, signedIn(user));
  const weights = [
    { date: "2026-03-01", weightKg: 71.25 },
    { date: "2026-03-02", weightKg: 71.25 },
    { date: "2026-03-02", weightKg: 71.26 },
    { date: "2026-03-02", weightKg: 71.25 },
  ];
  expect((await web().findWeights({ weights }, as(user))).stored).toEqual([
    false,
    true,
    false,
    true,
  ]);
  const asStranger = await web().findWeights({ weights }, as(stranger));
  expect(asStranger.stored).toEqual([false, false, false, false]);
  expect((await web().findWeights({}, as(user))).stored).toEqual([]);
});

test.each([
  ["a day that does not exist", [{ date: "2026-02-30", weightKg: 70 }]],
  ["501 of them", Array.from({ length: 501 }, () => ({ date: "2026-02-01", weightKg: 70 }))],
  ["a weight that is no number", [{ date: "2026-02-01", weightKg: Number.NaN }]],
])("finding weights refuses %s", async (_name, weights) => {
  await expect(web().findWeights({ weights }, as(newUser()))).rejects.toMatchObject({
    kind: "invalid_argument",
  });
});
