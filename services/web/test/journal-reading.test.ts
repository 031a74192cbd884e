import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { FakeLine } from "@nutrition/test-support/fake-services";
import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { visibleText } from "./forms.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { asKeyOf, asPerson, startWebFixture } from "./web-fixture.ts";

// How pages format figures; journal.test.ts tests the figures themselves.

const now = new Date("2026-06-15T12:00:00Z");
const clock: Clock = { ...systemClock, now: () => now };

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture({ clock })));
afterAll(() => web[Symbol.asyncDispose]());

async function setup(settings: object = {}): Promise<{ person: TestPerson; browser: Browser }> {
  const person = await web.makePerson();
  const paths = Object.keys(settings).map((name) =>
    name.replace(/[A-Z]/g, (one) => `_${one}`.toLowerCase()),
  );
  const request = { settings, updateMask: { paths } };
  if (paths.length > 0) await web.as("web").journal.updateSettings(request, asPerson(person));
  return { person, browser: await web.signIn(person) };
}

async function log(person: TestPerson, date: string, foodText: string, line: FakeLine) {
  web.backends.analysis.answer = () => line;
  const request = { date, foodText, origin: Origin.TOOL, requestId: newId() };
  const { outcome } = await web.as("gateway").journal.logFood(request, asKeyOf(person));
  expect(outcome.case).toBe("result");
}

test("averages exclude today and days without food", async () => {
  const { person, browser } = await setup();
  await log(person, "2026-06-15", "half a day", estimate({ calories: 100 }));
  await log(person, "2026-06-14", "a day", estimate({ calories: 1_999.6 }));
  await log(person, "2026-06-08", "a day", estimate({ calories: 1_000 }));
  await log(person, "2026-06-07", "a day", estimate({ calories: 600 }));
  const text = visibleText((await browser.get("/journal")).text);
  expect(text).toMatch(/Energy, kcal 1,5001,2001,2001,200/);
  expect(text).toMatch(/Days with food 2 of 73 of 143 of 303 of 90/);
  expect(text).toContain("2 days logged in a row.");
});

test("figures are written in the person's units and the browser's formats", async () => {
  const units = { energy: "kJ", weight: "st", height: "ft" };
  const { person, browser } = await setup({
    goals: { calories: 2_000 },
    units,
    waterUnit: "fl_oz",
  });
  await log(person, "2026-06-15", "stew", estimate({ calories: 1_234.57 }));
  await log(person, "2026-06-15", "water", estimate({ calories: 0, water: 500 }));
  const weight = { weightId: newId(), weightKg: 71.25 };
  const recordedAt = { seconds: BigInt(now.getTime() / 1_000) };
  await web.as("web").journal.putWeight({ ...weight, recordedAt }, asPerson(person));
  const german = await browser.get("/journal", { "accept-language": "de;q=0.9, xx-invalid, *" });
  const text = visibleText(german.text);
  expect(text).toMatch(/5\.165 kJ of 8\.368.kJ/);
  expect(text).toMatch(/16,9.fl oz/);
  expect(text).toMatch(/11.st 3,1.lb/);
  const american = visibleText(
    (await browser.get("/journal", { "accept-language": "en-US" })).text,
  );
  expect(american).toMatch(/5,165 kJ/);
  expect(american).toContain("Monday, June 15, 2026");
});

test("items are grouped by the meals that were mentioned, and not at all without any", async () => {
  const { person, browser } = await setup();
  await log(person, "2026-06-15", "tea", estimate({ calories: 100 }));
  expect((await browser.get("/journal")).text).not.toContain("Without a meal");
  const told = (occasion: string) => ({ ...estimate({ calories: 250 }), occasion });
  for (const meal of ["dinner", "breakfast"]) {
    await log(person, "2026-06-15", `egg for ${meal}`, told(meal));
  }
  const text = visibleText((await browser.get("/journal")).text);
  expect(text).toMatch(/Breakfast 250.kcal.*Dinner 250.kcal.*Without a meal 100.kcal/);
});
