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

/** A person with the given number of days of food, one line each. */
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

test("an error in the middle breaks the connection, so that a partial download never looks complete", async () => {
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

const RANGE = "/settings/export/range?from=2025-01-02&to=2025-01-03";

test("a range is exported as totals or items, as a table or JSON, oldest first", async () => {
  const { browser } = await setup(4);
  const read = async (rest: string) => (await browser.get(`${RANGE}&${rest}`)).text;
  const days = (await read("content=days&format=csv")).split("\r\n");
  expect(days[0]).toBe(
    "date,calories_kcal,protein_g,carbs_g,fat_g,sugar_g,fiber_g,sodium_mg,water_ml",
  );
  expect(days.slice(1)).toEqual([
    "2025-01-02,100.5,3,0,0,0,0,0,0",
    "2025-01-03,100.5,3,0,0,0,0,0,0",
    "",
  ]);
  const items = (await read("content=items&format=csv")).split("\r\n");
  expect(items.slice(1).map((line) => line.slice(0, 19))).toEqual([
    "2025-01-02,porridge",
    "2025-01-03,porridge",
    "",
  ]);
  const totals = JSON.parse(await read("content=days&format=json"));
  expect(totals).toMatchObject([
    { date: "2025-01-02", totals: { calories: 100.5 } },
    { date: "2025-01-03" },
  ]);
  expect(JSON.parse(await read("content=items&format=json"))).toMatchObject([
    { date: "2025-01-02", items: [{ description: "porridge" }] },
    { date: "2025-01-03" },
  ]);
});

test("a range of several windows has each day once, and an empty one is still valid", async () => {
  const { browser } = await setup(95);
  const long = "/settings/export/range?from=2024-06-01&to=2026-01-01&content=items&format=json";
  const dates = JSON.parse((await browser.get(long)).text).map((one: { date: string }) => one.date);
  expect(dates).toHaveLength(95);
  expect(dates).toEqual([...new Set(dates)].toSorted());
  const none = "/settings/export/range?from=2020-01-01&to=2020-02-01&content=days&format=json";
  expect(JSON.parse((await browser.get(none)).text)).toEqual([]);
});

test("an invalid range shows the form again with the error", async () => {
  const { browser } = await setup(0);
  const path = "/settings/export/range?from=2025-03-01&to=2025-02-01&content=days&format=csv";
  const { status, text } = await browser.get(path);
  expect(status).toBe(400);
  expect(text).toContain('id="to-error"');
  expect(text).toContain('value="2025-03-01"');
});

test("exporting a range needs a recent sign-in, and then starts automatically", async () => {
  const { person, browser } = await setup(0);
  await web.ageSignIns("11 minutes", person);
  const asked = `${RANGE}&content=days&format=csv`;
  const { location } = await browser.get(asked);
  const back = new URL(location, web.baseUrl).searchParams.get("return_to")!;
  expect(back).toContain("/settings/export?from=2025-01-02");
  const { text } = await browser.get(back);
  expect(text).toContain('http-equiv="refresh"');
  expect(text.replaceAll("&amp;", "&")).toContain(`url=${asked}`);
});
