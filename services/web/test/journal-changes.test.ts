import { newId } from "@nutrition/core/ids";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, expect, test } from "vitest";

import { visibleText } from "./forms.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { asKeyOf, startWebFixture } from "./web-fixture.ts";

const DATE = "2026-06-15";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

interface LoggedItem {
  readonly id: string;
}

async function log(person: TestPerson, foodText: string): Promise<LoggedItem[]> {
  web.backends.analysis.answer = () => estimate({ calories: 180, protein: 12 });
  const request = { date: DATE, foodText, origin: Origin.TOOL, requestId: newId() };
  await web.as("gateway").journal.logFood(request, asKeyOf(person));
  return itemsOf(person);
}

async function itemsOf(person: TestPerson): Promise<LoggedItem[]> {
  const { json } = await web.as("gateway").journal.getSummary({ date: DATE }, asKeyOf(person));
  return JSON.parse(Buffer.from(json).toString()).entries[0].items;
}

/** Text of the day's changes on its page. */
async function changesOf(person: TestPerson): Promise<string> {
  const { text } = await (await web.signIn(person)).get(`/journal/${DATE}`);
  return visibleText(text.slice(text.indexOf("Changes of this day")));
}

test("every item, food or water, shows the requests to change and delete it", async () => {
  const person = await web.makePerson();
  await log(person, "2 eggs");
  web.backends.analysis.answer = () => estimate({ calories: 0, water: 200 });
  const water = { date: DATE, foodText: "a glass of water", requestId: newId() };
  await web.as("gateway").journal.logFood({ ...water, origin: Origin.TOOL }, asKeyOf(person));
  const text = visibleText((await (await web.signIn(person)).get(`/journal/${DATE}`)).text);
  for (const name of [
    "line 1 of 15 June 2026 (“2 eggs”)",
    "line 2 of 15 June 2026 (“a glass of water”)",
  ]) {
    expect(text).toContain(`In my food journal, change ${name} to:`);
    expect(text).toContain(`In my food journal, delete ${name}.`);
  }
});

test("a correction shows the line and the figures before and after", async () => {
  const person = await web.makePerson();
  const [item] = await log(person, "2 eggs");
  web.backends.analysis.answer = () => estimate({ calories: 270, protein: 18 });
  const edit = { replacementText: "3 eggs", requestId: newId() };
  const selector = { item: { itemId: item!.id } };
  await web.as("gateway").journal.editFoodItem({ ...edit, ...selector }, asKeyOf(person));
  expect(await changesOf(person)).toMatch(
    /corrected a line\s*Before: 2 eggs, 180.kcal\s*After: 3 eggs, 270.kcal\s*Energy 180.kcal → 270.kcal; Protein 12.g → 18.g/,
  );
});

test("a merge and a deletion show what was there before", async () => {
  const person = await web.makePerson();
  const items = await log(person, "toast\nbutter");
  const merge = { itemIds: items.map(({ id }) => id), mergedText: "buttered toast" };
  const { journal } = web.as("gateway");
  await journal.mergeFoodItems({ ...merge, requestId: newId() }, asKeyOf(person));
  const [merged] = await itemsOf(person);
  const removal = { item: { itemId: merged!.id }, requestId: newId() };
  await journal.deleteFoodItem(removal, asKeyOf(person));
  const text = await changesOf(person);
  expect(text).toMatch(/deleted\s*Before: buttered toast, 360.kcal\s*\d/);
  expect(text).toMatch(
    /merged lines into one\s*Before: toast, 180.kcal\s*Before: butter, 180.kcal\s*After: buttered toast, 360.kcal/,
  );
});
