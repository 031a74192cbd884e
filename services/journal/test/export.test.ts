import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import type { CallOptions } from "@nutrition/rpc/service-definition";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, parse, resultOf, signedIn } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

interface Line {
  type: "settings" | "entry" | "weight" | "mutation";
  settings?: unknown;
  entry?: { date: string };
  weight?: { weight_kg: number };
  mutation?: { tool: string; id: string };
}

/** All pages of an export, each as its parsed lines. */
async function exportPages(accountId: string, options: CallOptions = as()): Promise<Line[][]> {
  const client = harness.journal.client(options.user ? "web" : "admin");
  const pages: Line[][] = [];
  let pageToken = "";
  do {
    const page = await client.exportJournal({ accountId, pageToken }, options);
    const lines = Buffer.from(page.jsonLines).toString().split("\n").slice(0, -1);
    pages.push(lines.map((line) => JSON.parse(line)));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return pages;
}

async function addWeight({ accountId }: UserIdentity, day: number, weightKg: number) {
  const recordedAt = timestampFromDate(new Date(Date.UTC(2026, 0, day)));
  const request = { accountId, weightId: newId(), weightKg, recordedAt };
  await harness.journal.client("admin").putWeight(request, as());
}

test("an export contains everything of the account as the reads show it, and nothing of others", async () => {
  const [user, other] = [newUser(), newUser()];
  await logFood(harness.journal, other, { foodText: "their egg" });
  await addWeight(other, 1, 99);
  const settings = { timezone: "Europe/Berlin", goals: { calories: 2000 } };
  const updateMask = { paths: ["timezone", "goals.calories"] };
  const admin = harness.journal.client("admin");
  await admin.updateSettings({ accountId: user.accountId, settings, updateMask }, as());
  for (const date of ["2026-11-03", "2026-11-01", "2026-11-02"]) {
    await logFood(harness.journal, user, { foodText: `egg\nham of ${date}`, date });
  }
  const gone = { item: { date: "2026-11-02", query: "egg" } };
  resultOf(await harness.journal.client("gateway").deleteFoodItem(gone, as(user)));
  await addWeight(user, 2, 71);
  await addWeight(user, 1, 70);

  const lines = (await exportPages(user.accountId)).flat();
  const of = (type: Line["type"]) =>
    lines.filter((line) => line.type === type).map((line) => line[type]);
  const gateway = harness.journal.client("gateway");
  const read = { limit: 90 };
  expect(of("settings")).toEqual([parse((await gateway.getSettings({}, as(user))).json)]);
  expect(of("entry")).toEqual(
    parse((await gateway.listEntries(read, as(user))).json).entries.toReversed(),
  );
  expect(of("weight")).toEqual(
    parse((await gateway.listWeights(read, as(user))).json).entries.toReversed(),
  );
  const { mutations } = await admin.listMutations({ accountId: user.accountId }, as());
  expect(of("mutation")).toMatchObject(
    mutations.toReversed().map(({ id, tool, beforeJson, afterJson }) => {
      return { id, tool, before: parse(beforeJson), after: parse(afterJson) };
    }),
  );
  expect(lines.map(({ type }) => type)).toEqual(
    lines.map(({ type }) => type).toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
  );
  expect(JSON.stringify(lines)).not.toContain("their egg");
});

const ORDER = ["settings", "entry", "weight", "mutation"];

test("pages are bounded in rows and in size, and contain each row once", async () => {
  const { accountId } = newUser();
  const db = harness.db.database;
  await db.query(sql`
    insert into entries (id, account_id, date, timezone, created_at, updated_at)
    select gen_random_uuid(), ${accountId}, date '2026-01-01' + day, 'UTC', now(), now()
    from generate_series(0, 249) day`);
  await db.query(sql`
    insert into items (id, entry_id, account_id, line_index, description, detailed_description,
      calories, is_water_entry, water_milliliters, provenance, created_at, updated_at)
    select gen_random_uuid(), id, account_id, line, repeat('食', 500), repeat('事', 1498), 1, false,
      0, 'stated', now(), now()
    from entries, generate_series(0, 9) line where account_id = ${accountId}`);
  await db.query(sql`
    insert into weights (account_id, id, weight_kg, recorded_at, recorded_date, created_at, updated_at)
    select ${accountId}, gen_random_uuid(), number, timestamptz '2026-01-01' + number / 10 * interval '1 day',
      '2026-01-01', now(), now() from generate_series(1, 250) number`);
  await db.query(sql`
    insert into mutations (id, account_id, tool, origin, entry_id, date, item_ids, before, after,
      duplicate, request_id, created_at)
    select gen_random_uuid(), ${accountId}, 'log_food', 'seed', gen_random_uuid(), '2026-01-01', '{}',
      '[]', '[]', false, number, now() from generate_series(1, 250) number`);
  const pages = await exportPages(accountId);
  for (const page of pages) {
    expect(page.length).toBeLessThanOrEqual(100);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_200_000);
    expect(new Set(page.map(({ type }) => type)).size).toBeLessThanOrEqual(1);
  }
  const lines = pages.flat();
  const distinct = (key: (line: Line) => unknown) => new Set(lines.map(key)).size;
  expect(lines).toHaveLength(1 + 250 + 250 + 250);
  // Lines of other types are all undefined here.
  expect(distinct(({ entry }) => entry?.date)).toBe(251);
  expect(distinct(({ weight }) => weight?.weight_kg)).toBe(251);
  expect(distinct(({ mutation }) => mutation?.id)).toBe(251);
});

test("a signed-in person exports their own journal, and no key and nobody else can", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg" });
  expect((await exportPages("", signedIn(user))).flat()).toHaveLength(3);
  const denied = { kind: "permission_denied" };
  await expect(exportPages("", as(user))).rejects.toMatchObject(denied);
  await expect(exportPages(newId(), signedIn(user))).rejects.toMatchObject(denied);
});

test.each([
  "entry",
  "entry 2026-11-01",
  "weight 2026-11-01T00:00:00.000Z 01900000-0000-7000-8000-000000000001",
])("continues at the page token %j", async (pageToken) => {
  const request = { accountId: newId(), pageToken };
  expect((await harness.journal.client("admin").exportJournal(request, as())).jsonLines).toEqual(
    new Uint8Array(),
  );
});

test.each(["next", "entry 2026-02-30", "weight 2026-11-01T00:00:00.000Z", "mutation 1", "entry  "])(
  "refuses the page token %j",
  async (pageToken) => {
    const request = { accountId: newId(), pageToken };
    const asking = harness.journal.client("admin").exportJournal(request, as());
    await expect(asking).rejects.toMatchObject({ kind: "invalid_argument" });
  },
);
