import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { visibleText } from "./forms.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { asPerson, startWebFixture } from "./web-fixture.ts";

const PAGE = "/settings/profile/weights/import";
const TABLE = "Date,Weight\r\n2026-01-01,71.5\r\n2026-01-02,71.4\r\nnonsense";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

async function setup() {
  const person = await web.makePerson();
  return { person, browser: await web.signIn(person) };
}

async function weightsOf(person: TestPerson) {
  const { json } = await web.as("web").journal.listWeights({ limit: 365 }, asPerson(person));
  const { entries } = JSON.parse(Buffer.from(json).toString());
  return entries.map((one: { recorded_date: string; weight_kg: number; source: string }) => [
    one.recorded_date,
    one.weight_kg,
    one.source,
  ]);
}

test("shows what would be imported, and stores nothing before it is confirmed", async () => {
  const { person, browser } = await setup();
  expect((await browser.get(PAGE)).status).toBe(200);
  const { text } = await browser.post(PAGE, { table: TABLE, unit: "kg" });
  expect(visibleText(text)).toContain("Import 2 new weights?");
  expect(visibleText(text)).toContain("Line 4: Begin the row with a day");
  expect(await weightsOf(person)).toEqual([]);
});

test("imports once however often the form is sent, and the next preview recognizes the rows", async () => {
  const { person, browser } = await setup();
  const send = () => browser.post(PAGE, { table: TABLE, unit: "kg", confirmed: "yes" });
  const answers = await Promise.all([send(), send()]);
  for (const { location } of [...answers, await send()]) {
    expect(location).toContain("done=weights-imported");
  }
  expect(await weightsOf(person)).toEqual([
    ["2026-01-02", 71.4, "import"],
    ["2026-01-01", 71.5, "import"],
  ]);
  const again = visibleText((await browser.post(PAGE, { table: TABLE, unit: "kg" })).text);
  expect(again).toContain("2 of the rows are stored already");
  const more = `${TABLE}\r\n2026-01-03,71.3`;
  await browser.post(PAGE, { table: more, unit: "kg", confirmed: "yes" });
  expect(await weightsOf(person)).toHaveLength(3);
});

test("the preview knows every stored weight of its days, however old and however many came later", async () => {
  const { person, browser } = await setup();
  await web.backends.databases.journal.database.query(sql`
    insert into weights (account_id, id, weight_kg, recorded_at, recorded_date, created_at, updated_at)
    select ${person.accountId}, gen_random_uuid(), 70 + n % 7, day + interval '12 hours', day, now(), now()
    from generate_series(0, 799) n, lateral (select date '2023-01-01' + n as day) d
  `);
  // Both are stored: the oldest, and one that the newest 365 do not contain.
  const table = "2023-01-01,70\n2023-06-01,74\n2023-06-01,74.5\n2019-01-01,70";
  const text = visibleText((await browser.post(PAGE, { table, unit: "kg" })).text);
  expect(text).toContain("2 of the rows are stored already");
  expect(text).toContain("Import 2 new weights?");
});

test("an import needs the form's secret and a table, and changes no other account", async () => {
  const { browser } = await setup();
  const stranger = await setup();
  expect((await browser.post(PAGE, { table: TABLE, confirmed: "yes", csrf: "" })).status).toBe(403);
  expect((await browser.post(PAGE, { table: "" })).status).toBe(400);
  await browser.post(PAGE, { table: TABLE, unit: "kg", confirmed: "yes" });
  expect(await weightsOf(stranger.person)).toEqual([]);
});
