import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { FakeEstimate } from "@nutrition/test-support/fake-services";
import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { visibleText } from "./forms.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { asKeyOf, asPerson, startWebFixture } from "./web-fixture.ts";

let now = new Date();
/** The test controls the pages' calendar; everything else runs in real time. */
const clock: Clock = { ...systemClock, now: () => now };

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture({ clock })));
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(() => {
  now = new Date("2026-06-15T12:00:00Z");
});

async function setup(settings: object = {}): Promise<{ person: TestPerson; browser: Browser }> {
  const person = await web.makePerson();
  const paths = Object.keys(settings).map((name) =>
    name.replace(/[A-Z]/g, (one) => `_${one}`.toLowerCase()),
  );
  if (paths.length > 0) {
    const request = { settings, updateMask: { paths } };
    await web.as("web").journal.updateSettings(request, asPerson(person));
  }
  return { person, browser: await web.signIn(person) };
}

interface Meal {
  date: string;
  foodText: string;
  detailedDescription?: string;
  figures?: FakeEstimate;
  keyId?: string;
}

async function log(person: TestPerson, { figures = { calories: 100 }, keyId, ...meal }: Meal) {
  web.backends.analysis.answer = () => estimate(figures);
  const request = { ...meal, origin: Origin.TOOL, requestId: newId() };
  const { outcome } = await web.as("gateway").journal.logFood(request, asKeyOf(person, keyId));
  expect(outcome.case).toBe("result");
}

async function summaryOf(person: TestPerson, date: string) {
  const { json } = await web.as("gateway").journal.getSummary({ date }, asKeyOf(person));
  return JSON.parse(Buffer.from(json).toString());
}

/** The machine-readable figures of a part of the page, in order. */
function figuresOf(page: string, from: string, to: string): number[] {
  const part = page.slice(page.indexOf(from), page.indexOf(to));
  return [...part.matchAll(/<data value="([^"]*)">/g)].map(([, value]) => Number(value));
}

test("the page's figures are the summary's: exact for machines, rounded for people", async () => {
  const { person, browser } = await setup({ goals: { calories: 1_900, protein: 120 } });
  const odd = {
    calories: 1_234.57,
    protein: 0.01,
    carbs: 99.99,
    fat: 0.1,
    sugar: 3.33,
    fiber: 0.07,
    sodium: 2_300.05,
  };
  await log(person, { date: "2026-06-15", foodText: "stew", figures: odd });
  await log(person, {
    date: "2026-06-15",
    foodText: "more stew",
    figures: { ...odd, protein: 0.02 },
  });
  await log(person, {
    date: "2026-06-15",
    foodText: "water",
    figures: { calories: 0, water: 333.33 },
  });
  const { totals, entries } = await summaryOf(person, "2026-06-15");
  const { text } = await browser.get("/journal");
  const { calories, protein, carbs, fat, sugar, fiber, sodium, water_milliliters: water } = totals;
  expect(figuresOf(text, 'id="totals"', 'id="items"')).toEqual([
    calories,
    protein,
    carbs,
    fat,
    sugar,
    fiber,
    sodium,
    water,
  ]);
  const [stew] = entries[0].items;
  expect(figuresOf(text, 'id="items"', 'id="trends"').slice(0, 7)).toEqual([
    stew.calories,
    stew.protein,
    stew.carbs,
    stew.fat,
    stew.sugar,
    stew.fiber,
    stew.sodium,
  ]);
  const seen = visibleText(text);
  expect(seen).toMatch(/2,469 kcal of 1,900.kcal Energy: [^.]*569.kcal over/);
  expect(text).toContain('aria-label="Protein: <0.1\u00a0g of 120\u00a0g"'.replace("<", "&lt;"));
  expect(seen).toMatch(/Sodium 4,600.mg/);
  expect(seen).not.toMatch(/\d[.,]\d{2}\b(?!\d)/);
});

test("an item shows its estimate in words, with the assistant's comment", async () => {
  const { person, browser } = await setup();
  const figures = { calories: 80, comment: "Taken as one medium apple." };
  await log(person, {
    date: "2026-06-15",
    foodText: "an apple",
    detailedDescription: "red",
    figures,
  });
  const text = visibleText((await browser.get("/journal/2026-06-15")).text);
  expect(text).toContain("good estimate");
  expect(text).toContain("Taken as one medium apple.");
  expect(text).toContain("Details for the estimate: red");
});

test("a day without food explains how to log", async () => {
  const { browser } = await setup();
  const today = visibleText((await browser.get("/journal")).text);
  expect(today).toContain("Today");
  expect(today).toContain("Nothing has been logged today yet.");
  expect(today).toContain("Connect an assistant");
  expect(visibleText((await browser.get("/journal/2020-02-29")).text)).toContain(
    "Nothing was logged on this day.",
  );
});

test("does not show water for a person who does not track it", async () => {
  const { browser } = await setup({ waterEnabled: false });
  expect(visibleText((await browser.get("/journal")).text)).not.toContain("Water");
});

test("today begins at the person's midnight", async () => {
  const { person } = await setup({ timezone: "America/New_York" });
  await log(person, { date: "2026-03-08", foodText: "pancakes" });
  // Clocks in New York went forward at 2 on that Sunday.
  for (const [at, isThere] of [
    ["2026-03-08T04:59:59Z", false],
    ["2026-03-08T05:00:00Z", true],
    ["2026-03-09T03:59:59Z", true],
    ["2026-03-09T04:00:00Z", false],
  ] as const) {
    now = new Date(at);
    const fresh = await web.signIn(person);
    expect(
      (await fresh.get("/journal")).text.includes('item-name"><bdi>pancakes</bdi></span>'),
    ).toBe(isThere);
  }
});

test.each(["0001-01-01", "9999-12-31"])("the calendar ends at %s", async (day) => {
  const { browser } = await setup();
  const { status, text } = await browser.get(`/journal/${day}`);
  expect(status).toBe(200);
  expect(text.match(/rel="(?:prev|next)"/g)).toHaveLength(1);
});

test("days link to their neighbors, and a chosen day has its own address", async () => {
  const { browser } = await setup();
  const { text } = await browser.get("/journal/2026-03-01");
  expect(text).toContain('href="/journal/2026-02-28"');
  expect(text).toContain('href="/journal/2026-03-02"');
  expect(visibleText(text)).toContain("Sunday 1 March 2026");
  expect((await browser.get("/journal?date=2026-03-01")).location).toBe("/journal/2026-03-01");
});

test.each(["2026-02-30", "0000-01-01", "yesterday", "2026-1-1", "%3Cscript%3E"])(
  "the day %s is not found",
  async (day) => {
    const { browser } = await setup();
    for (const path of [`/journal/${day}`, `/journal?date=${day}`]) {
      const answer = await browser.get(path);
      expect(answer.status).toBe(404);
      expect(visibleText(answer.text)).toContain("This day does not exist.");
    }
  },
);

test("shows which key or assistant wrote what, and when", async () => {
  const { person, browser } = await setup({ timezone: "Asia/Kathmandu" });
  const request = { name: "My <b>bot</b>", scopes: ["service.read"] };
  const { key } = await web.as("web").auth.createKey(request, asPerson(person));
  await log(person, { date: "2026-06-14", foodText: "one egg\ntwo figs", keyId: key!.id });
  await log(person, { date: "2026-06-14", foodText: "tea", keyId: newId() });
  const text = visibleText((await browser.get("/journal/2026-06-14")).text);
  expect(text).toMatch(/My <b>bot<\/b>\s*logged\s*Added: one egg, 100.kcal\s*Added: two figs/);
  expect(text).toMatch(/A key or an assistant that you have removed\s*logged\s*Added: tea/);
});

test("the trends have every day of the range, its goal and the weight", async () => {
  const { person, browser } = await setup({ goals: { calories: 1_900 } });
  await log(person, { date: "2026-05-17", foodText: "first day" });
  await log(person, { date: "2026-05-16", foodText: "too early" });
  const weight = {
    weightId: newId(),
    weightKg: 71.25,
    recordedAt: { seconds: BigInt(now.getTime() / 1_000) },
  };
  await web.as("web").journal.putWeight(weight, asPerson(person));
  const { text } = await browser.get("/journal");
  expect([...text.matchAll(/data-date="([^"]*)"/g)].map(([, date]) => date)).toEqual([
    "2026-06-15",
    "2026-05-17",
  ]);
  expect(text).toContain('data-chart="calories" data-goal="1900"');
  expect(text).toMatch(/data-series="weight"[^>]*>\s*<data value="71.25">/);
  const longer = (await browser.get("/journal?days=90")).text;
  expect(longer).toContain('data-date="2026-05-16"');
  expect((await browser.get("/journal?days=91")).text).not.toContain('data-date="2026-05-16"');
});

test("food text is shown as text, sanitized and truncated", async () => {
  const { person, browser } = await setup();
  const foodText = `<img src=x onerror=alert(1)> \u202Etxt\u0430pple ${"w".repeat(400)}`;
  await log(person, {
    date: "2026-06-15",
    foodText,
    figures: { calories: 1, comment: "<b>bold</b>" },
  });
  const { text } = await browser.get("/journal");
  expect(text).toContain("<bdi>&lt;img src=x onerror=alert(1)&gt; txt");
  expect(text).toContain("&lt;b&gt;bold&lt;/b&gt;");
  for (const bad of ["<img", "<b>", "\u202E"]) expect(text).not.toContain(bad);
});

test("another person's days are never shown", async () => {
  const owner = await setup();
  const stranger = await setup();
  await log(owner.person, { date: "2026-06-15", foodText: "secret sandwich" });
  for (const path of [
    "/journal",
    "/journal/2026-06-15",
    "/journal/export.csv",
    "/journal/export.json",
  ]) {
    expect((await owner.browser.get(path)).text).toContain("secret sandwich");
    expect((await stranger.browser.get(path)).text).not.toContain("secret sandwich");
  }
});

test("the journal is read-only", async () => {
  const { browser } = await setup();
  const { text } = await browser.get("/journal");
  const forms = [...text.matchAll(/<form[^>]*method="post"[^>]*action="([^"]*)"/g)];
  expect(forms.map(([, action]) => action)).toEqual(["/sign-out"]);
  expect((await browser.post("/journal")).status).toBe(404);
});

test("nobody sees a journal without signing in", async () => {
  const visitor = web.visitor();
  for (const path of [
    "/journal",
    "/journal/2026-06-15",
    "/journal/export.csv",
    "/journal/export.json",
  ]) {
    expect((await visitor.get(path)).location).toBe(
      `/sign-in?return_to=${encodeURIComponent(path)}`,
    );
  }
});
