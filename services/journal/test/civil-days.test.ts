import { civilDateIn, isTimeZone } from "@nutrition/core/civil-date";
import { ManualClock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, expect, test } from "vitest";

import { getWriterSettings } from "../src/store/settings-store.ts";
import { listSummaries } from "../src/store/summary-store.ts";
import { listDifferingTimeZones, timeZoneInspection } from "../src/store/time-zone-store.ts";
import {
  as,
  createHarness,
  logFood,
  newUser,
  parse,
  readSummary,
  resultOf,
  signedIn,
} from "./harness.ts";
import type { Harness } from "./harness.ts";

/** In CET it is the next day: clocks show summer time. PostgreSQL takes CET for a fixed offset of an hour. */
const NOW = "2026-07-01T22:30:00.000Z";
const DAY = "2026-07-02";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness(NOW);
  harness.analysis.answer = () => estimate({ calories: 100 });
});
afterAll(() => harness[Symbol.asyncDispose]());

async function insertZone(timezone: string): Promise<string> {
  const accountId = newId();
  await harness.db.database.query(sql`
    insert into settings (account_id, timezone, updated_at) values (${accountId}, ${timezone}, now())`);
  return accountId;
}

test("summaries and writes have the same today in every time zone, that of the pages", async () => {
  const { database } = harness.db;
  const rows = await database.query<{ name: string }>(sql`select name from pg_timezone_names`);
  const zones = rows.map(({ name }) => name).filter(isTimeZone);
  expect(zones.length).toBeGreaterThan(400);
  const accountIds = await Promise.all(zones.map(insertZone));
  for (const moment of [
    NOW,
    "2026-12-01T23:30:00Z",
    "2027-02-20T06:30:00Z",
    "2027-03-28T10:30:00Z",
  ]) {
    const now = new Date(moment);
    const expected = zones.map((zone) => `${zone} ${civilDateIn(zone, now)}`);
    const asked = accountIds.map((accountId) => ({ accountId, date: null, now }));
    const summaries = await listSummaries(database, asked);
    expect(summaries.map(({ json }) => dayOf(json))).toEqual(expected);
    const settings = await Promise.all(
      accountIds.map((id) => getWriterSettings(database, id, now)),
    );
    expect(settings.map(({ timezone, today }) => `${timezone} ${today}`)).toEqual(expected);
  }
});

function dayOf(json: string): string {
  const { date, timezone } = JSON.parse(json) as { date: string; timezone: string };
  return `${timezone} ${date}`;
}

test("food logged without a date is on the day that the summary shows, and so is a weight", async () => {
  const user = newUser();
  const web = harness.journal.client("web");
  const updateMask = { paths: ["timezone"] };
  await web.updateSettings({ settings: { timezone: "CET" }, updateMask }, signedIn(user));
  expect((await readSummary(harness.journal, user)).date).toBe(DAY);
  const result = resultOf(await logFood(harness.journal, user, { foodText: "egg" }));
  expect(result).toMatchObject({ date: DAY, date_interpreted_as: "today in CET" });
  const gateway = harness.journal.client("gateway");
  const recordedAt = { seconds: BigInt(Date.parse(NOW) / 1_000) };
  const weight = { weightId: newId(), weightKg: 70, recordedAt, source: "scale", notes: "" };
  await web.putWeight(weight, signedIn(user));
  const { entries } = parse((await gateway.listWeights({ limit: 1 }, as(user))).json);
  expect(entries[0]).toMatchObject({ recorded_date: DAY });
});

test("the comparison of both tables finds the zones that differ, and no others", async () => {
  const differing = await listDifferingTimeZones(harness.db.database, new ManualClock(NOW));
  expect(differing).toContain("CET");
  expect(differing).not.toContain("Europe/Berlin");
  expect(differing).not.toContain("UTC");
});

test("an inspection does not wait for a slow comparison, and a later one has its result", async () => {
  const slow = Promise.withResolvers<[]>();
  const inspect = timeZoneInspection({ query: () => slow.promise }, new ManualClock(NOW));
  expect(await inspect(AbortSignal.abort())).toBeUndefined();
  slow.resolve([]);
  expect(await inspect(new AbortController().signal)).toEqual([]);
});

test("a time zone that only the database knows is refused", async () => {
  const settings = { timezone: "Factory" };
  const change = { settings, updateMask: { paths: ["timezone"] } };
  const web = harness.journal.client("web");
  await expect(web.updateSettings(change, signedIn(newUser()))).rejects.toMatchObject({
    kind: "invalid_argument",
    metadata: { field: "timezone" },
  });
});
