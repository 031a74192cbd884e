import { newId } from "@nutrition/core/ids";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { FakeLine } from "@nutrition/test-support/fake-services";
import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { visibleText } from "./forms.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { asKeyOf, asPerson, startWebFixture } from "./web-fixture.ts";

// The remarks beside figures that could mislead.

const DAY = "2026-06-15";
const PAGE = `/journal/${DAY}`;

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

async function setup(): Promise<{ person: TestPerson; browser: Browser }> {
  const person = await web.makePerson();
  return { person, browser: await web.signIn(person) };
}

async function log(person: TestPerson, foodText: string, line: FakeLine) {
  web.backends.analysis.answer = () => line;
  const request = { date: DAY, foodText, origin: Origin.TOOL, requestId: newId() };
  const { outcome } = await web.as("gateway").journal.logFood(request, asKeyOf(person));
  expect(outcome.case).toBe("result");
}

test("stated figures are not shown as estimates, and unknown ones are never silently counted", async () => {
  const { person, browser } = await setup();
  const stated = estimate({ calories: 450, protein: 30 });
  if (stated.outcome?.case === "estimate") stated.outcome.value.confidence = 1;
  await log(person, "lunch box 450 kcal", stated);
  await log(person, "half known", estimate({ calories: 90, fat: 2 }));
  await log(person, "water", estimate({ calories: 0, water: 200 }));
  const text = visibleText((await browser.get(PAGE)).text);
  expect(text).toMatch(/450.kcal 30.g protein carbs, fat not known as stated/);
  expect(text).toMatch(/90.kcal 2.g fat protein, carbs not known good estimate/);
  expect(text).toContain(
    "Unknown, and not included in these totals: protein of 1 item, carbohydrate of 2 items, fat of 1 item, sugar of 2 items",
  );
});

test("a day with only known figures does not mention unknown ones", async () => {
  const { person, browser } = await setup();
  const figures = { calories: 1, protein: 1, carbs: 1, fat: 1, sugar: 0, fiber: 0, sodium: 0 };
  await log(person, "a crumb", estimate(figures));
  expect(visibleText((await browser.get(PAGE)).text)).not.toMatch(/not known/i);
});

test.each(["Read as", "Took it as"])(
  "shows without a click what was %s another food",
  async (said) => {
    const { person, browser } = await setup();
    const comment = `${said} Apple, raw; assumed 182 g.`;
    await log(person, "pomme", estimate({ calories: 95, comment }));
    const closed = (await browser.get(PAGE)).text.replace(
      /<details[^>]*>(\s*<summary>.*?<\/summary>).*?<\/details>/gs,
      "$1",
    );
    expect(visibleText(closed)).toContain(comment);
  },
);

test("says which time zone applies until one is chosen, and links to the choice", async () => {
  const { person, browser } = await setup();
  const told = "midnight in UTC";
  for (const path of ["/journal", PAGE, "/settings/connections"]) {
    const { text } = await browser.get(path);
    expect(visibleText(text)).toContain(told);
    expect(text).toContain('href="/settings/profile#place"');
  }
  const chosen = { "was.timezone": "UTC", timezone: "Etc/UTC" };
  expect((await browser.post("/settings/profile", chosen)).location).toContain("done=saved");
  expect(visibleText((await browser.get("/journal")).text)).not.toContain(told);
  const { json } = await web.as("web").journal.getSettings({}, asPerson(person));
  expect(JSON.parse(Buffer.from(json).toString()).timezone).toBe("Etc/UTC");
});

test("an empty day does not suggest logging to an account that cannot log", async () => {
  const told = "need premium or beta access, which your account does not have yet";
  const basic = await web.signIn(await web.makePerson({ hasPremium: false }));
  const { text } = await basic.get("/journal");
  expect(visibleText(text)).toContain(told);
  expect(visibleText(text)).not.toContain("Connect an assistant");
  const { browser } = await setup();
  expect(visibleText((await browser.get("/journal")).text)).not.toContain(told);
});
