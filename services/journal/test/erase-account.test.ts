import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { cleanUp } from "../src/operations/clean-up.ts";
import { as, createHarness, logFood, newUser, readSummary, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";
import { ObservedDatabase, failAt, holdAt } from "./observed-database.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.analysis.gate = async () => {};
});

const ERASED = { kind: "not_found", reason: "ACCOUNT_ERASED" };

function erase({ accountId }: UserIdentity, instance = harness.journal) {
  return instance.client("admin").eraseAccount({ accountId }, as());
}

function setTimezone({ accountId }: UserIdentity) {
  const request = { accountId, settings: { timezone: "Asia/Tokyo" } };
  const updateMask = { paths: ["timezone"] };
  return harness.journal.client("admin").updateSettings({ ...request, updateMask }, as());
}

function addWeight({ accountId }: UserIdentity) {
  const recordedAt = timestampFromDate(new Date("2026-11-01T00:00:00Z"));
  const request = { accountId, weightId: newId(), weightKg: 70, recordedAt };
  return harness.journal.client("admin").putWeight(request, as());
}

function importItem({ accountId }: UserIdentity) {
  const items = [{ externalId: newId(), date: "2026-11-01", description: "oats", calories: 1 }];
  const request = { accountId, source: "cronometer", items };
  return harness.journal.client("admin").importItems(request, as());
}

/** The tables of the journal that contain an account's id as text anywhere. */
async function tablesWith({ accountId }: UserIdentity): Promise<string[]> {
  const db = harness.db.database;
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables where table_schema = 'journal'`);
  expect(tables.length).toBeGreaterThan(8);
  const found: string[] = [];
  for (const { name } of tables) {
    const text = `select 1 from ${name} t where t::text like $1 limit 1`;
    if ((await db.query({ text, values: [`%${accountId}%`] })).length > 0) found.push(name);
  }
  return found;
}

/** Leaves data of a person in every table that can contain it. */
async function live(user: UserIdentity): Promise<void> {
  await setTimezone(user);
  await addWeight(user);
  await importItem(user);
  const gateway = harness.journal.client("gateway");
  const request = { foodText: "egg\nham\ntoast\njam", date: "2026-11-20" };
  const { items } = resultOf(await logFood(harness.journal, user, request));
  await logFood(harness.journal, user, request);
  const [egg, ham, toast, jam] = items.map((item: { id: string }) => item.id);
  const change = { item: { itemId: egg }, replacementText: "2 eggs", correction: "two" };
  resultOf(await gateway.editFoodItem(change, as(user)));
  const merge = { itemIds: [egg, ham], mergedText: "ham and eggs" };
  resultOf(await gateway.mergeFoodItems(merge, as(user)));
  for (const itemId of [toast, jam]) {
    resultOf(await gateway.deleteFoodItem({ item: { itemId } }, as(user)));
  }
}

test("an erasure leaves no row of the account in any table, and every row of others", async () => {
  const [user, other] = [newUser(), newUser()];
  await Promise.all([live(user), live(other)]);
  const before = await tablesWith(other);
  expect(before.toSorted()).toEqual([
    "claims",
    "entries",
    "items",
    "mutations",
    "settings",
    "weight_counts",
    "weights",
  ]);
  const theirs = await readSummary(harness.journal, other, "2026-11-20");
  await erase(user);
  expect(await tablesWith(user)).toEqual([]);
  expect(await tablesWith(other)).toEqual(before);
  expect(await readSummary(harness.journal, other, "2026-11-20")).toEqual(theirs);
});

test("an erased account can be erased again, as can one that never wrote", async () => {
  const user = newUser();
  await erase(user);
  await erase(user);
  expect(await tablesWith(user)).toEqual([]);
});

test("after an erasure, every write of the account is refused and leaves nothing", async () => {
  const user = newUser();
  await live(user);
  await erase(user);
  const gateway = harness.journal.client("gateway");
  const itemId = newId();
  const item = { itemId };
  const writes = [
    () => logFood(harness.journal, user, { foodText: "egg" }),
    () => gateway.editFoodItem({ item, replacementText: "egg" }, as(user)),
    () => gateway.mergeFoodItems({ itemIds: [itemId, newId()], mergedText: "egg" }, as(user)),
    () => gateway.deleteFoodItem({ item }, as(user)),
    () => setTimezone(user),
    () => addWeight(user),
    () => importItem(user),
  ];
  for (const write of writes) await expect(write()).rejects.toMatchObject(ERASED);
  expect(await tablesWith(user)).toEqual([]);
});

test("a write that is being analyzed while its account is erased leaves nothing, and no usage", async () => {
  const user = newUser();
  await live(user);
  const gate = harness.analysis.closeGate();
  const writing = logFood(harness.journal, user, { foodText: "egg" });
  const refused = expect(writing).rejects.toMatchObject(ERASED);
  await gate.reached;
  await erase(user);
  const reservationId = harness.limits.of(user.accountId, "reserved").at(-1);
  gate.open();
  await refused;
  expect(await tablesWith(user)).toEqual([]);
  await vi.waitFor(
    () => {
      expect(harness.limits.of(user.accountId, "released")).toEqual([reservationId]);
    },
    { timeout: 10_000 },
  );
});

test("an erasure waits for a write that is being committed, and deletes its rows", async () => {
  const user = newUser();
  const database = new ObservedDatabase({ url: harness.db.url, schema: "journal" });
  const instance = await harness.start({ database });
  const held = holdAt("before commit");
  database.observe = held.observe;
  const writing = logFood(instance, user, { foodText: "egg" });
  await held.reached;
  const erasing = erase(user);
  await vi.waitFor(
    async () => {
      const waiting = await harness.db.database.query(sql`
      select 1 from pg_locks where locktype = 'advisory' and not granted`);
      expect(waiting).not.toEqual([]);
    },
    { timeout: 10_000 },
  );
  held.open();
  expect(resultOf(await writing).duplicate).toBe(false);
  await erasing;
  expect(await tablesWith(user)).toEqual([]);
});

test("nothing written while an account is erased remains", async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = newUser();
    const second = await harness.start();
    const egg = { foodText: "egg" };
    const writes = Array.from({ length: 12 }, (_, index) => [
      () => logFood(harness.journal, user, { foodText: `egg ${index}` }),
      () => logFood(second, user, egg),
      () => setTimezone(user),
      () => addWeight(user),
      () => importItem(user),
    ]).flat();
    const running = writes.map((write) => write().then(() => "done"));
    await Promise.race(running);
    const [, ...outcomes] = await Promise.allSettled([erase(user), ...running]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(ERASED);
    }
    expect(await tablesWith(user)).toEqual([]);
    await second[Symbol.asyncDispose]();
  }
});

test.each(["delete from entries", "delete from mutations", "delete from settings"])(
  "an erasure that fails before %j is completed by the next",
  async (moment) => {
    const user = newUser();
    await live(user);
    const database = new ObservedDatabase({ url: harness.db.url, schema: "journal" });
    const instance = await harness.start({ database });
    database.observe = failAt(`before ${moment}`);
    await expect(erase(user, instance)).rejects.toBeDefined();
    expect(await tablesWith(user)).not.toEqual([]);
    await expect(setTimezone(user)).rejects.toMatchObject(ERASED);
    await erase(user, instance);
    expect(await tablesWith(user)).toEqual([]);
  },
);

test("the record of an erasure contains no id, and is deleted after a day", async () => {
  const db = harness.db.database;
  await db.query(sql`delete from erased_accounts`);
  await erase(newUser());
  await cleanUp(db);
  expect(await db.query(sql`select 1 from erased_accounts`)).toHaveLength(1);
  await db.query(sql`update erased_accounts set erased_at = erased_at - interval '25 hours'`);
  await cleanUp(db);
  expect(await db.query(sql`select 1 from erased_accounts`)).toEqual([]);
});

test("only operators and the pages can erase", async () => {
  const user = newUser();
  for (const caller of ["gateway", "limits"] as const) {
    const erasing = harness.journal
      .client(caller)
      .eraseAccount({ accountId: user.accountId }, as());
    await expect(erasing).rejects.toMatchObject({ kind: "permission_denied" });
  }
});
