import { newId } from "@nutrition/core/ids";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { hiddenField, visibleText } from "./forms.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { asPerson, startWebFixture } from "./web-fixture.ts";

const PAGE = "/settings/profile";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

async function setup(): Promise<{ person: TestPerson; browser: Browser }> {
  const person = await web.makePerson();
  return { person, browser: await web.signIn(person) };
}

async function settingsOf(person: TestPerson) {
  const { json } = await web.as("web").journal.getSettings({}, asPerson(person));
  return JSON.parse(Buffer.from(json).toString());
}

async function weightsOf(person: TestPerson) {
  const { json } = await web.as("web").journal.listWeights({ limit: 365 }, asPerson(person));
  return JSON.parse(Buffer.from(json).toString()).entries;
}

/** The form's initial values, so that only `changes` are changes. */
function changed(changes: Record<string, string>): Record<string, string> {
  const before = Object.keys(changes).map((name) => [`was.${name}`, "?"]);
  return { ...changes, ...Object.fromEntries(before) };
}

test("the settings and the page have exactly what was saved", async () => {
  const { person, browser } = await setup();
  const answer = await browser.post(
    PAGE,
    changed({
      "goals.calories": "1900",
      "goals.protein": "120,5",
      "goals.water_milliliters": "2000",
      water_enabled: "false",
      water_unit: "fl_oz",
      timezone: "Asia/Kathmandu",
      "health_profile.sex": "female",
      "health_profile.birth_date": "1988-04-17",
      "health_profile.height_cm": "171",
      "health_profile.weight_kg": "76.2",
      "health_profile.activity_level": "moderate",
      calorie_estimation_bias: "higher",
    }),
  );
  expect(answer.location).toBe("/settings/profile?done=saved");
  expect(await settingsOf(person)).toMatchObject({
    nutrition_goals: { calories: 1_900, protein: 120.5, fat: null, water_milliliters: 2_000 },
    water: { enabled: false, unit: "fl_oz" },
    timezone: "Asia/Kathmandu",
    health_profile: {
      sex: "female",
      birth_date: "1988-04-17",
      height_cm: 171,
      weight_kg: 76.2,
      activity_level: "moderate",
    },
    calorie_estimation_bias: "higher",
  });
  const { text } = await browser.follow(answer);
  expect(text).toMatch(/role="status">\s*Saved\./);
  expect(text).toMatch(/id="goals.protein"\s+name="goals.protein"\s+value="120.5"/);
  expect(text).toContain('<option value="Asia/Kathmandu" selected>');
});

test("figures are read and kept in the units that the form showed, and stored metric", async () => {
  const { person, browser } = await setup();
  const units = {
    "units.energy": "kJ",
    "units.weight": "st",
    "units.height": "ft",
    water_unit: "l",
  };
  // The form was still labelled with kcal when it changed the units.
  await browser.post(PAGE, {
    ...changed({ ...units, "goals.calories": "2000" }),
    units: "kcal kg cm ml",
  });
  expect((await settingsOf(person)).nutrition_goals.calories).toBe(2_000);
  const { text } = await browser.get(PAGE);
  expect(text).toMatch(/name="goals.calories"\s+value="8368"/);
  const typed = {
    "goals.calories": "8400",
    "goals.water_milliliters": "2,5",
    "health_profile.height_cm": "5'11",
    "health_profile.weight_kg": "11 st 3",
  };
  const answer = await browser.post(PAGE, { ...changed(typed), units: hiddenField(text, "units") });
  expect(answer.status).toBe(303);
  expect(await settingsOf(person)).toMatchObject({
    nutrition_goals: { calories: 2_007.65, water_milliliters: 2_500 },
    health_profile: { height_cm: 180.34, weight_kg: 71.21 },
  });
  const again = (await browser.get(PAGE)).text;
  expect(again).toMatch(/name="goals.calories"\s+value="8400(?:.01)?"/);
  expect(again).toContain('value="5 ft 11 in"');
  const odd = { ...changed({ "health_profile.height_cm": "5 ft 12" }), units: "kJ st ft l" };
  const refused = await browser.post(PAGE, odd);
  expect(refused.status).toBe(400);
  expect(visibleText(refused.text)).toContain("Write ft and in, such as 5 ft 11 in.");
});

test("an empty goal is no goal", async () => {
  const { person, browser } = await setup();
  await browser.post(PAGE, changed({ "goals.fat": "70", "goals.fiber": "30" }));
  await browser.post(PAGE, changed({ "goals.fat": "" }));
  const { nutrition_goals: goals } = await settingsOf(person);
  expect([goals.fat, goals.fiber]).toEqual([null, 30]);
});

test("a form keeps what another tab saved meanwhile, unless it changes the same field", async () => {
  const { person, browser } = await setup();
  await browser.post(PAGE, changed({ "goals.calories": "1900", "goals.protein": "100" }));
  // Opened in two tabs, which both show 1900 and 100.
  const opened = { "was.goals.calories": "1900", "was.goals.protein": "100" };
  await browser.post(PAGE, { ...opened, "goals.calories": "2100", "goals.protein": "100" });
  await browser.post(PAGE, { ...opened, "goals.calories": "1900", "goals.protein": "130" });
  const { nutrition_goals: goals } = await settingsOf(person);
  expect([goals.calories, goals.protein]).toEqual([2_100, 130]);
});

test("a form that changes nothing says so", async () => {
  const { person, browser } = await setup();
  const fields = { timezone: "UTC", "was.timezone": "UTC" };
  const answer = await browser.post(PAGE, fields);
  expect(visibleText((await browser.follow(answer)).text)).toContain("Nothing was changed.");
  expect(await settingsOf(person)).toBeNull();
});

test("shows an error at its field, keeps what was typed, and saves nothing", async () => {
  const { person, browser } = await setup();
  const fields = changed({ "goals.calories": "1,900", "goals.protein": "120" });
  const answer = await browser.post(PAGE, fields);
  expect(answer.status).toBe(400);
  expect(visibleText(answer.text)).toContain("Energy: Write thousands without a separator");
  expect(answer.text).toMatch(/value="1,900"[^>]*aria-describedby="goals.calories-error"/s);
  expect(answer.text).toMatch(/name="goals.protein"\s+value="120"/);
  expect(hiddenField(answer.text, "was.goals.protein")).toBe("?");
  expect(await settingsOf(person)).toBeNull();
});

test("adds a weight once, however often its form is sent, and lists it newest first", async () => {
  const { person, browser } = await setup();
  const id = hiddenField((await browser.get(PAGE)).text, "weight.id");
  const first = { "weight.id": id, "weight.kg": "76,4", "weight.date": "2026-01-03" };
  await browser.post(`${PAGE}/weights`, { ...first, "weight.notes": "before breakfast" });
  const answer = await browser.post(`${PAGE}/weights`, { ...first, "weight.notes": "again" });
  expect(answer.location).toBe("/settings/profile?done=weight-added#weights");
  const second = { "weight.id": newId(), "weight.kg": "76", "weight.date": "2026-01-05" };
  await browser.post(`${PAGE}/weights`, second);
  expect(await weightsOf(person)).toMatchObject([
    { weight_kg: 76, recorded_date: "2026-01-05", source: "manual", notes: null },
    { weight_kg: 76.4, recorded_date: "2026-01-03", notes: "again" },
  ]);
  const text = visibleText((await browser.get(PAGE)).text);
  expect(text).toMatch(/Monday 5 January 2026\s*76 kg.*Saturday 3 January 2026\s*again\s*76.4 kg/);
});

test.each([
  { "weight.kg": "0" },
  { "weight.kg": "heavy" },
  { "weight.date": "2999-01-01" },
  { "weight.notes": "x".repeat(501) },
])("refuses a weight with %o at its field, and keeps it as typed", async (fault) => {
  const { person, browser } = await setup();
  const form = { "weight.id": newId(), "weight.kg": "70", "weight.date": "2026-01-03" };
  const answer = await browser.post(`${PAGE}/weights`, { ...form, ...fault });
  expect(answer.status).toBe(400);
  const [[name, text]] = Object.entries(fault) as [[string, string]];
  expect(answer.text).toContain(`id="${name}-error"`);
  expect(answer.text).toContain(`value="${text}"`);
  expect(hiddenField(answer.text, "weight.id")).toBe(form["weight.id"]);
  expect(await weightsOf(person)).toEqual([]);
});

test("deletes a weight after a confirmation", async () => {
  const { person, browser } = await setup();
  const id = newId();
  const form = { "weight.id": id, "weight.kg": "70.1", "weight.date": "2026-01-03" };
  await browser.post(`${PAGE}/weights`, form);
  const path = `${PAGE}/weights/${id}/delete`;
  expect(visibleText((await browser.get(path)).text)).toContain(
    "70.1 kg on Saturday 3 January 2026",
  );
  const answer = await browser.post(path);
  expect(answer.location).toBe("/settings/profile?done=weight-deleted#weights");
  expect(await weightsOf(person)).toEqual([]);
  expect((await browser.get(path)).status).toBe(404);
});

test("shows a note as text, sanitized", async () => {
  const { browser } = await setup();
  const notes = `<img src=x onerror=alert(1)>\u202Egnp ${"z".repeat(150)}`;
  const form = { "weight.id": newId(), "weight.kg": "70", "weight.date": "2026-01-03" };
  await browser.post(`${PAGE}/weights`, { ...form, "weight.notes": notes });
  const { text } = await browser.get(PAGE);
  expect(text).toContain("<bdi>&lt;img src=x onerror=alert(1)&gt;gnp zzz");
  expect(text).not.toContain("<img");
});

test("another person's weights and settings are neither shown nor changed", async () => {
  const owner = await setup();
  const stranger = await setup();
  const id = newId();
  const form = { "weight.id": id, "weight.kg": "71.17", "weight.date": "2026-01-03" };
  await owner.browser.post(`${PAGE}/weights`, form);
  await owner.browser.post(PAGE, changed({ "goals.calories": "1917" }));
  const { text } = await stranger.browser.get(PAGE);
  expect(text).not.toContain("71.17");
  expect(text).not.toContain("1917");
  const path = `${PAGE}/weights/${id}/delete`;
  expect((await stranger.browser.get(path)).status).toBe(404);
  await stranger.browser.post(path);
  await stranger.browser.post(`${PAGE}/weights`, { ...form, "weight.kg": "1" });
  expect(await weightsOf(owner.person)).toMatchObject([{ weight_kg: 71.17 }]);
});

test("shows the account, with links to export everything and to erase it", async () => {
  const { person, browser } = await setup();
  const { text } = await browser.get(PAGE);
  expect(text).toContain(person.email);
  expect(visibleText(text)).toContain("Premium");
  expect(text).toContain('href="/settings/export"');
  expect(text).toContain('href="/settings/erase"');
});

test("explains the difference between the two kinds of weight", async () => {
  const { browser } = await setup();
  const { text } = await browser.get(PAGE);
  expect(text).toMatch(/day to day\s+belongs under <a href="#weights">/);
  expect(text).toMatch(/does not change\s+the weight under\s+<a href="#body">/);
});

test.each([
  ["Europe/Berlin", "Europe/Berlin"],
  ["Asia/Kolkata", "Asia/Calcutta"],
  ["UTC", "Etc/UTC"],
])("proposes the browser's time zone %s, and only the person saves it", async (zone, value) => {
  const { person, browser } = await setup();
  const path = `${PAGE}?timezone=${encodeURIComponent(zone)}`;
  const { text } = await browser.get(path);
  expect(text).toContain(`<option value="${value}" selected>`);
  expect(visibleText(text)).toContain("It is not saved yet");
  expect(await settingsOf(person)).toBeNull();
});

test("never proposes an invalid time zone, or one in place of a chosen one", async () => {
  const { browser } = await setup();
  const odd = await browser.get(`${PAGE}?timezone=${encodeURIComponent('"><b>Mars')}`);
  expect(odd.text).toContain('<option value="UTC" selected>');
  expect(odd.text).not.toContain("<b>Mars");
  await browser.post(PAGE, changed({ timezone: "Europe/Berlin" }));
  const { text } = await browser.get(`${PAGE}?timezone=Asia/Tokyo`);
  expect(text).toContain('<option value="Europe/Berlin" selected>');
  expect(visibleText(text)).not.toContain("It is not saved yet");
});

test("the settings lead to the profile", async () => {
  const { browser } = await setup();
  expect((await browser.get("/settings")).location).toBe(PAGE);
  expect((await web.visitor().get("/settings")).location).toContain("/sign-in");
});

test("a missing page keeps the navigation of the signed-in person", async () => {
  const { browser } = await setup();
  for (const path of ["/settings/no-such-page", `${PAGE}/weights/${newId()}/delete`]) {
    const missing = await browser.get(path);
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('href="/settings/keys"');
  }
  const visitor = await web.visitor().get("/settings/no-such-page");
  expect(visitor.status).toBe(404);
  expect(visitor.text).not.toContain("<nav");
});

test("a form without its secret changes nothing", async () => {
  const { person, browser } = await setup();
  const weight = { "weight.id": newId(), "weight.kg": "70", "weight.date": "2026-01-03" };
  await browser.post(`${PAGE}/weights`, weight);
  const fields = { ...changed({ "goals.calories": "1" }), ...weight, "weight.kg": "1", csrf: "" };
  for (const path of ["", "/weights", `/weights/${weight["weight.id"]}/delete`]) {
    expect((await browser.post(PAGE + path, fields)).status).toBe(403);
  }
  expect(await settingsOf(person)).toBeNull();
  expect(await weightsOf(person)).toMatchObject([{ weight_kg: 70 }]);
});
