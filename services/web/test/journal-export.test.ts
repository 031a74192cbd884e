import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { WebFixture } from "./web-fixture.ts";
import { CALL, startWebFixture } from "./web-fixture.ts";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

/** A person with this many days of food, one line each. */
async function setup(days: number, foodText = "porridge") {
  const person = await web.makePerson();
  web.backends.analysis.answer = () => estimate({ calories: 100.5, protein: 3 });
  const { journal } = web.as("admin");
  for (let day = 0; day < days; day += 1) {
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    const ids = { accountId: person.accountId, requestId: newId(), idempotencyKey: newId() };
    await journal.logFood({ ...ids, origin: Origin.SEED, foodText, date }, CALL);
  }
  return { person, browser: await web.signIn(person) };
}

test("exports everything as one JSON document, over several pages", async () => {
  const { person, browser } = await setup(105);
  const answer = await browser.get("/journal/export.json");
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("content-disposition")).toMatch(
    /^attachment; filename="nutrition-journal-\d{4}-\d\d-\d\d\.json"$/,
  );
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const records = JSON.parse(answer.text) as { type: string; entry?: { date: string } }[];
  const counts = Map.groupBy(records, ({ type }) => type);
  expect([...counts].map(([type, some]) => [type, some.length])).toEqual([
    ["profile", 1],
    ["settings", 1],
    ["entry", 105],
    ["mutation", 105],
  ]);
  expect(records[0]).toMatchObject({ profile: { email: person.email } });
});

test("the table has a row for each item", async () => {
  const { browser } = await setup(3);
  const { text, headers } = await browser.get("/journal/export.csv");
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const lines = text.split("\r\n");
  expect(lines[0]).toMatch(/date,description,details,calories_kcal,protein_g,/);
  expect(lines.slice(1, 4).map((line) => line.split(",").slice(0, 5))).toEqual([
    ["2025-01-01", "porridge", "", "100.5", "3"],
    ["2025-01-02", "porridge", "", "100.5", "3"],
    ["2025-01-03", "porridge", "", "100.5", "3"],
  ]);
  expect(lines.slice(4)).toEqual([""]);
});

test("food that looks like a formula is text in the table", async () => {
  const { browser } = await setup(1, '=HYPERLINK("http://evil.example","click")');
  const { text } = await browser.get("/journal/export.csv");
  expect(text).toContain(`,"'=HYPERLINK(""http://evil.example"",""click"")",`);
});

test("an account without any data has an export, too", async () => {
  const { browser } = await setup(0);
  const records = JSON.parse((await browser.get("/journal/export.json")).text);
  expect(records).toMatchObject([{ type: "profile" }, { type: "settings", settings: null }]);
  expect((await browser.get("/journal/export.csv")).text.split("\r\n")).toHaveLength(2);
});

test("a fault in the middle breaks the download off, so that a part never looks complete", async () => {
  const { browser } = await setup(1);
  const { database } = web.backends.databases.journal;
  await database.query(sql`alter table mutations rename to mutations_away`);
  try {
    await expect(browser.get("/journal/export.json")).rejects.toThrow("terminated");
  } finally {
    await database.query(sql`alter table mutations_away rename to mutations`);
  }
  expect((await browser.get("/journal/export.json")).status).toBe(200);
});
