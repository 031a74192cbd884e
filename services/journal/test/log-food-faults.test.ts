import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { cannotTell, estimate } from "@nutrition/test-support/fake-services";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

import {
  ageClaims,
  as,
  createHarness,
  logFood,
  newUser,
  readSummary,
  refusalOf,
  resultOf,
} from "./harness.ts";
import type { Harness } from "./harness.ts";
import { ObservedDatabase, atMoment, failAt } from "./observed-database.ts";

/** Longer than the outbox worker's polling interval. */
const SOON = { timeout: 5_000 };

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(harness.limits, { isAway: false });
  Object.assign(harness.analysis, { isAway: false, charged: false, gate: async () => {} });
  harness.analysis.answer = () => estimate({ calories: 100 });
  harness.analysis.requests.length = 0;
  harness.limits.requests.length = 0;
});

interface Settled {
  counted: number;
  released: number;
  /** Released as failed analyses; absent for none. */
  failed?: number;
}

/** Numbers of counted and released writes of the account, once all are settled. */
async function settledWrites(accountId: string): Promise<Settled> {
  const { limits, db } = harness;
  await vi.waitFor(async () => {
    expect(await db.database.query(sql`select 1 from outbox`)).toEqual([]);
    expect(limits.of(accountId, "reserved")).toEqual([]);
  }, SOON);
  const failed = limits.of(accountId, "failed").length;
  return {
    counted: limits.of(accountId, "committed").length,
    released: limits.of(accountId, "released").length,
    ...(failed > 0 ? { failed } : {}),
  };
}

test("a duplicate takes over from a hung process, whose late commit changes nothing", async () => {
  const user = newUser();
  const second = await harness.start();
  const { reached, open } = harness.analysis.closeGate();
  const first = logFood(harness.journal, user, { foodText: "egg" });
  await reached;
  harness.analysis.gate = async () => {};
  await ageClaims(harness, user.accountId, "30 seconds");
  const taken = resultOf(await logFood(second, user, { foodText: "egg" }));
  expect(taken.duplicate).toBe(false);
  open();
  expect(resultOf(await first)).toEqual({ ...taken, duplicate: true });
  expect((await readSummary(harness.journal, user)).entries[0].items).toHaveLength(1);
  expect(await settledWrites(user.accountId)).toEqual({ counted: 1, released: 1 });
});

test("a duplicate that runs out of time is told to retry", async () => {
  const user = newUser();
  const { reached, open } = harness.analysis.closeGate();
  const first = logFood(harness.journal, user, { foodText: "egg" });
  await reached;
  const impatient = harness.journal
    .client("gateway")
    .logFood({ origin: 1, foodText: "egg" }, { ...as(user), timeoutMs: 400 });
  await expect(impatient).rejects.toMatchObject({ reason: "WRITE_IN_PROGRESS" });
  open();
  await first;
});

test("a reserved write is finished after its caller has disconnected", async () => {
  const user = newUser();
  const { reached, open } = harness.analysis.closeGate();
  const caller = new AbortController();
  const call = harness.journal
    .client("gateway")
    .logFood({ origin: 1, foodText: "egg" }, { ...as(user), signal: caller.signal });
  const rejected = expect(call).rejects.toMatchObject({ kind: "cancelled" });
  await reached;
  caller.abort();
  await rejected;
  open();
  await vi.waitFor(async () => {
    expect((await readSummary(harness.journal, user)).totals.calories).toBe(100);
  }, SOON);
  expect(resultOf(await logFood(harness.journal, user, { foodText: "egg" })).duplicate).toBe(true);
});

test("a reserved write is finished after its caller's deadline", async () => {
  const user = newUser();
  const { reached, open } = harness.analysis.closeGate();
  const call = harness.journal
    .client("gateway")
    .logFood({ origin: 1, foodText: "egg" }, { ...as(user), timeoutMs: 300 });
  const rejected = expect(call).rejects.toMatchObject({ kind: "deadline_exceeded" });
  await reached;
  await rejected;
  open();
  await vi.waitFor(async () => {
    expect((await readSummary(harness.journal, user)).totals.calories).toBe(100);
  }, SOON);
});

test("disposing finishes a write whose caller has disconnected", async () => {
  const user = newUser();
  const instance = await harness.start();
  const { reached, open } = harness.analysis.closeGate();
  const caller = new AbortController();
  const call = instance
    .client("gateway")
    .logFood({ origin: 1, foodText: "egg" }, { ...as(user), signal: caller.signal });
  const rejected = expect(call).rejects.toBeDefined();
  await reached;
  caller.abort();
  await rejected;
  const disposed = instance[Symbol.asyncDispose]();
  open();
  await disposed;
  expect((await readSummary(harness.journal, user)).totals.calories).toBe(100);
});

test.each(["limits", "analysis"] as const)(
  "with %s down, a log is unavailable, leaves nothing, and can be repeated",
  async (name) => {
    const user = newUser();
    harness[name].isAway = true;
    const call = logFood(harness.journal, user, { foodText: "egg" });
    await expect(call).rejects.toMatchObject({ kind: "unavailable" });
    harness[name].isAway = false;
    expect((await readSummary(harness.journal, user)).entries).toEqual([]);
    expect(await settledWrites(user.accountId)).toMatchObject({ counted: 0 });
    expect(resultOf(await logFood(harness.journal, user, { foodText: "egg" })).duplicate).toBe(
      false,
    );
  },
);

test("a crash before the commit leaves nothing, and the retry has one effect", async () => {
  const user = newUser();
  const database = new ObservedDatabase({ url: harness.db.url, schema: "journal" });
  const instance = await harness.start({ database });
  database.observe = failAt("before commit");
  await expect(logFood(instance, user, { foodText: "egg" })).rejects.toBeDefined();
  expect((await readSummary(instance, user)).entries).toEqual([]);
  expect(resultOf(await logFood(instance, user, { foodText: "egg" })).duplicate).toBe(false);
  expect((await readSummary(instance, user)).entries[0].items).toHaveLength(1);
  expect(await settledWrites(user.accountId)).toEqual({ counted: 1, released: 1 });
});

test("a commit whose response is lost stands: it is counted, and the retry gets its result", async () => {
  const user = newUser();
  const database = new ObservedDatabase({ url: harness.db.url, schema: "journal" });
  const instance = await harness.start({ database });
  database.observe = failAt("after commit");
  await expect(logFood(instance, user, { foodText: "egg" })).rejects.toBeDefined();
  expect(resultOf(await logFood(instance, user, { foodText: "egg" })).duplicate).toBe(true);
  expect((await readSummary(instance, user)).entries[0].items).toHaveLength(1);
  expect(await settledWrites(user.accountId)).toEqual({ counted: 1, released: 0 });
});

test("a write whose response is lost after the limits service counted it is not released", async () => {
  const user = newUser();
  const database = new ObservedDatabase({ url: harness.db.url, schema: "journal" });
  const instance = await harness.start({ database });
  database.observe = atMoment(["after commit"], async () => {
    expect(await settledWrites(user.accountId)).toEqual({ counted: 1, released: 0 });
    throw new Error("The answer is lost.");
  });
  await expect(logFood(instance, user, { foodText: "egg" })).rejects.toBeDefined();
  expect(await settledWrites(user.accountId)).toEqual({ counted: 1, released: 0 });
});

test("a reservation that was resolved first makes the late write fail, and a retry works", async () => {
  const user = newUser();
  const { reached, open } = harness.analysis.closeGate();
  const late = logFood(harness.journal, user, { foodText: "egg" });
  const rejected = expect(late).rejects.toMatchObject({ reason: "RESERVATION_EXPIRED" });
  await reached;
  const [reservationId] = harness.limits.of(user.accountId, "reserved");
  const limits = harness.journal.client("limits");
  const resolve = () => limits.resolveReservation({ reservationId: reservationId! }, as());
  expect(await resolve()).toMatchObject({ used: false });
  open();
  await rejected;
  expect(await resolve()).toMatchObject({ used: false });
  expect((await readSummary(harness.journal, user)).entries).toEqual([]);
  expect(resultOf(await logFood(harness.journal, user, { foodText: "egg" })).duplicate).toBe(false);
});

test("a reservation whose write happened resolves as used, however often it is asked about", async () => {
  const user = newUser();
  await logFood(harness.journal, user, { foodText: "egg" });
  await settledWrites(user.accountId);
  const [reservationId] = harness.limits.of(user.accountId, "committed");
  const limits = harness.journal.client("limits");
  for (let times = 0; times < 2; times += 1) {
    const resolved = await limits.resolveReservation({ reservationId: reservationId! }, as());
    expect(resolved.used).toBe(true);
  }
  const other = harness.journal
    .client("gateway")
    .resolveReservation({ reservationId: newId() }, as());
  await expect(other).rejects.toMatchObject({ kind: "permission_denied" });
});

test("the outbox delivers what the limits service could not accept", async () => {
  const user = newUser();
  harness.analysis.gate = async () => {
    harness.limits.isAway = true;
  };
  await logFood(harness.journal, user, { foodText: "egg" });
  const attempts = () =>
    harness.db.database.query<{ attempts: number }>(sql`select attempts from outbox`);
  await vi.waitFor(async () => expect(await attempts()).toEqual([{ attempts: 1 }]), SOON);
  expect(harness.limits.of(user.accountId, "committed")).toEqual([]);
  harness.limits.isAway = false;
  await harness.db.database.query(sql`update outbox set next_attempt_at = now()`);
  expect(await settledWrites(user.accountId)).toEqual({ counted: 1, released: 0 });
});

test("a failed analysis is reported as one, even if the limits service is down at first", async () => {
  const user = newUser();
  harness.analysis.answer = () => cannotTell("Say what food it is.");
  harness.analysis.gate = async () => {
    harness.limits.isAway = true;
  };
  refusalOf(await logFood(harness.journal, user, { foodText: "stuff" }));
  harness.limits.isAway = false;
  await harness.db.database.query(sql`update outbox set next_attempt_at = now()`);
  expect(await settledWrites(user.accountId)).toEqual({ counted: 0, released: 0, failed: 1 });
});

test.each([
  ["cost money stays counted", true, { counted: 1, released: 0 }],
  ["cost nothing is counted as failed only", false, { counted: 0, released: 0, failed: 1 }],
] as const)("a failed analysis that %s", async (_, charged, settled) => {
  const user = newUser();
  harness.analysis.charged = charged;
  harness.analysis.answer = () => cannotTell("Say what food it is.");
  expect(refusalOf(await logFood(harness.journal, user, { foodText: "stuff" }))).toMatchObject({
    code: "analysis_failed",
  });
  expect(await settledWrites(user.accountId)).toEqual(settled);
  expect((await readSummary(harness.journal, user)).entries).toEqual([]);
});
