import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import { ageSubject } from "@nutrition/test-support/aging";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { createCrashSetup } from "./crash-setup.ts";
import type { CrashSetup } from "./crash-setup.ts";
import { ageClaims, as, logFood, newUser, readSummary, resultOf } from "./harness.ts";
import type { JournalInstance } from "./harness.ts";
import { ObservedDatabase, holdAt } from "./observed-database.ts";

const SOON = { timeout: 10_000 };

let setup: CrashSetup;
beforeAll(async () => {
  setup = await createCrashSetup();
});
afterAll(() => setup[Symbol.asyncDispose]());
beforeEach(() => {
  setup.analysis.gate = async () => {};
});

/** An account's writes, according to audit records and usage. */
interface Books {
  /** Audit records of writes that changed something. */
  audited: number;
  /** Reservations that those records name. */
  reservations: string[];
}

async function readBooks({ accountId }: UserIdentity): Promise<Books> {
  const rows = await setup.db.database.query<{ reservation_id: string }>(sql`
    select reservation_id from mutations
    where account_id = ${accountId} and not duplicate order by id`);
  return { audited: rows.length, reservations: rows.map((row) => row.reservation_id).toSorted() };
}

/** Reservations of the account by state. */
async function readUsage({ accountId }: UserIdentity) {
  const rows = await setup.limitsDb.database.query<{
    id: string;
    state: string;
    event: string;
  }>(sql`
    select r.id, r.state, e.state as event
    from reservations r join usage_events e on e.subject = r.subject and e.at = r.at
    where r.subject = ${`account:${accountId}`} order by r.id`);
  for (const { state, event } of rows) expect(event).toBe(state);
  const idsIn = (wanted: string) => rows.filter((row) => row.state === wanted).map(({ id }) => id);
  return { open: idsIn("reserved"), committed: idsIn("committed"), released: idsIn("released") };
}

/** Expires the leases, reservations and deliveries of dead processes. */
async function letTimePass(user: UserIdentity): Promise<void> {
  await ageClaims(setup, user.accountId, "30 seconds");
  await ageSubject(setup.limitsDb.database, `account:${user.accountId}`, 61);
  await setup.db.database.query(sql`update outbox set next_attempt_at = now()`);
}

/** Journal, audit and usage agree: exactly the audited writes are counted. */
async function expectBooksAgree(user: UserIdentity): Promise<number> {
  await letTimePass(user);
  await vi.waitFor(async () => expect((await readUsage(user)).open).toEqual([]), SOON);
  const { audited, reservations } = await readBooks(user);
  const { committed, released } = await readUsage(user);
  expect(committed).toEqual(reservations);
  const outcomes = await setup.db.database.query<{ id: string; outcome: string }>(sql`
    select reservation_id as id, outcome from settled_reservations
    where reservation_id = any(${[...committed, ...released]}::uuid[])`);
  for (const { id, outcome } of outcomes) {
    expect(outcome).toBe(committed.includes(id) ? "used" : "void");
  }
  expect(outcomes).toHaveLength(committed.length + released.length);
  return audited;
}

interface Item {
  id: string;
  description: string;
}

async function linesOf(user: UserIdentity): Promise<string[]> {
  const { entries } = await readSummary(setup.survivor, user);
  return entries[0]?.items.map((item: Item) => item.description) ?? [];
}

type Write = (instance: JournalInstance, user: UserIdentity, items: Item[]) => Promise<any>;

const TOOLS: Record<string, { write: Write; lines: string[] }> = {
  log: {
    write: (instance, user) => logFood(instance, user, { foodText: "toast" }),
    lines: ["egg", "ham", "toast"],
  },
  edit: {
    write: (instance, user, [egg]) => {
      const request = { item: { itemId: egg!.id }, replacementText: "2 eggs" };
      return instance.client("gateway").editFoodItem(request, as(user));
    },
    lines: ["2 eggs", "ham"],
  },
  merge: {
    write: (instance, user, items) => {
      const request = { itemIds: items.map(({ id }) => id), mergedText: "ham and egg" };
      return instance.client("gateway").mergeFoodItems(request, as(user));
    },
    lines: ["ham and egg"],
  },
  delete: {
    write: (instance, user, [egg]) =>
      instance.client("gateway").deleteFoodItem({ item: { itemId: egg!.id } }, as(user)),
    lines: ["ham"],
  },
};

const AFTER_CLAIM = ["after insert into claims"];
const AFTER_RESERVE = ["before list_remembered_items"];
const AFTER_ANALYSIS = ["before begin"];
const RESERVATION_USED = ["after insert into settled_reservations"];
const BEFORE_COMMIT = ["before commit"];
const AFTER_COMMIT = ["after commit"];
const MESSAGE_TAKEN = ["after commit", "after update outbox"];
const MESSAGE_DELIVERED = ["after commit", "before delete from outbox"];

describe("a process killed", () => {
  test.each<[tool: string, step: string, moments: string[], isDone: boolean]>([
    ["log", "after the claim", AFTER_CLAIM, false],
    ["log", "after the reservation", AFTER_RESERVE, false],
    ["log", "after the analysis", AFTER_ANALYSIS, false],
    ["log", "after using the reservation", RESERVATION_USED, false],
    ["log", "before the commit", BEFORE_COMMIT, false],
    ["log", "after the commit", AFTER_COMMIT, true],
    ["log", "before the reservation's commit", MESSAGE_TAKEN, true],
    ["log", "after the reservation's commit", MESSAGE_DELIVERED, true],
    ["edit", "after the reservation", AFTER_RESERVE, false],
    ["edit", "before the commit", BEFORE_COMMIT, false],
    ["edit", "after the commit", AFTER_COMMIT, true],
    ["merge", "after the reservation", AFTER_ANALYSIS, false],
    ["merge", "before the commit", BEFORE_COMMIT, false],
    ["merge", "after the commit", AFTER_COMMIT, true],
    ["delete", "after the claim", AFTER_CLAIM, false],
    ["delete", "before the commit", BEFORE_COMMIT, false],
    ["delete", "after the commit", AFTER_COMMIT, true],
  ])(
    "during %s %s leaves journal, audit and usage in agreement, and a retry has one effect",
    async (tool, _, moments, isDone) => {
      const user = newUser();
      const { write, lines } = TOOLS[tool]!;
      const first = await logFood(setup.survivor, user, { foodText: "egg\nham" });
      const { items } = resultOf(first);
      const victim = await setup.startVictim(...moments);
      const call = write(victim, user, items).then(resultOf);
      // A process that dies after sending its response may or may not have answered.
      const answer = call.then(
        () => "answered",
        () => "failed",
      );
      expect(await victim.death).toBe("SIGKILL");
      if (!isDone) expect(await answer).toBe("failed");

      expect(await linesOf(user)).toEqual(isDone ? lines : ["egg", "ham"]);
      expect(await expectBooksAgree(user)).toBe(isDone ? 2 : 1);

      const retry = resultOf(await write(setup.survivor, user, items));
      expect(retry.duplicate).toBe(isDone);
      expect(await linesOf(user)).toEqual(lines);
      expect(await expectBooksAgree(user)).toBe(2);
    },
    30_000,
  );
});

test("fifty identical calls have one effect, even if the first one's process dies halfway", async () => {
  const user = newUser();
  const victim = await setup.startVictim(...AFTER_ANALYSIS);
  const second = await setup.start();
  const request = { foodText: "egg\nham" };
  const first = logFood(victim, user, request);
  await expect(Promise.all([first, victim.death])).rejects.toBeDefined();
  await victim.death;
  const calls = Array.from({ length: 49 }, (_, index) =>
    logFood(index % 2 ? second : setup.survivor, user, request),
  );
  await ageClaims(setup, user.accountId, "30 seconds");
  const results = (await Promise.all(calls)).map(resultOf);
  expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  const bodies = results.map((result) => JSON.stringify({ ...result, duplicate: false }));
  expect(new Set(bodies).size).toBe(1);
  expect(resultOf(await logFood(setup.survivor, user, request))).toEqual({
    ...results[0],
    duplicate: true,
  });
  expect(await linesOf(user)).toEqual(["egg", "ham"]);
  expect(await expectBooksAgree(user)).toBe(1);
}, 30_000);

/** A log in this process that pauses at a moment until its reservation has expired. */
async function holdLog(user: UserIdentity, moment: string) {
  const database = new ObservedDatabase({ url: setup.db.url, schema: "journal" });
  const instance = await setup.start({ database });
  const held = holdAt("before begin", moment);
  database.observe = held.observe;
  const answer = logFood(instance, user, { foodText: "egg" });
  await held.reached;
  await ageSubject(setup.limitsDb.database, `account:${user.accountId}`, 61);
  return { answer, open: held.open };
}

test("a transaction held open past its reservation's expiry loses to reservation recovery", async () => {
  const user = newUser();
  const { answer, open } = await holdLog(user, "before insert into settled_reservations");
  const refused = expect(answer).rejects.toMatchObject({ reason: "RESERVATION_EXPIRED" });
  await vi.waitFor(async () => expect((await readUsage(user)).released).toHaveLength(1), SOON);
  open();
  await refused;
  expect(await linesOf(user)).toEqual([]);
  expect(await expectBooksAgree(user)).toBe(0);
  expect(resultOf(await logFood(setup.survivor, user, { foodText: "egg" })).duplicate).toBe(false);
  expect(await linesOf(user)).toEqual(["egg"]);
  expect(await expectBooksAgree(user)).toBe(1);
});

test("recovery waits for a transaction that has used its reservation, and counts it", async () => {
  const user = newUser();
  const { answer, open } = await holdLog(user, "before commit");
  await vi.waitFor(async () => {
    const waiting = await setup.db.database.query(sql`
      select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%insert into settled_reservations%'`);
    expect(waiting).toHaveLength(1);
  }, SOON);
  expect((await readUsage(user)).open).toHaveLength(1);
  open();
  expect(resultOf(await answer).duplicate).toBe(false);
  expect(await expectBooksAgree(user)).toBe(1);
  expect(resultOf(await logFood(setup.survivor, user, { foodText: "egg" })).duplicate).toBe(true);
  expect(await linesOf(user)).toEqual(["egg"]);
});
