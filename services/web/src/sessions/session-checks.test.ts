import { randomUUID } from "node:crypto";

import { ManualClock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { beforeEach, expect, test } from "vitest";

import type { Backends } from "../clients/backends.ts";
import { SessionChecks } from "./session-checks.ts";

let clock: ManualClock;
let checks: SessionChecks;
let asked: number;
/** A fake of the auth service. */
let answer: () => Promise<{ isLive: boolean; isRecent: boolean }>;

const LIVE = { isLive: true, isRecent: true };
const ENDED = { isLive: false, isRecent: false };

beforeEach(() => {
  clock = new ManualClock("2026-11-21T12:00:00Z");
  asked = 0;
  answer = async () => LIVE;
  const checkSession = () => {
    asked += 1;
    return answer();
  };
  checks = new SessionChecks({ checkSession } as unknown as Backends["auth"], clock);
});

function session(accountId: string = randomUUID()): UserIdentity {
  return { accountId, credentialKind: "session", credentialId: randomUUID(), scopes: [] };
}

test("asks again about a live session after 4 s, counted from the question", async () => {
  const user = session();
  answer = async () => {
    clock.advance(3_000);
    return LIVE;
  };
  expect(await checks.isLive(user)).toBe(true);
  clock.advance(999);
  expect(await checks.isLive(user)).toBe(true);
  expect(asked).toBe(1);
  clock.advance(1);
  answer = async () => ENDED;
  expect(await checks.isLive(user)).toBe(false);
});

test("never caches an ended session as live", async () => {
  const user = session();
  await checks.isLive(user);
  answer = async () => ENDED;
  expect(await checks.ask(user)).toEqual(ENDED);
  expect(await checks.isLive(user)).toBe(false);
});

test("asks the auth service every time for the current state", async () => {
  const user = session();
  await checks.isLive(user);
  await checks.ask(user);
  await checks.ask(user);
  expect(asked).toBe(3);
});

test("applies a published end immediately, for one session or for all of an account", async () => {
  const [one, same, other] = [session(), session(), session()];
  const sibling = session(one.accountId);
  for (const user of [one, same, other, sibling]) await checks.isLive(user);
  answer = async () => ENDED;
  checks.drop(same);
  expect(await checks.isLive(same)).toBe(false);
  checks.drop({ accountId: one.accountId });
  expect(await checks.isLive(one)).toBe(false);
  expect(await checks.isLive(sibling)).toBe(false);
  expect(await checks.isLive(other)).toBe(true);
  checks.clear();
  expect(await checks.isLive(other)).toBe(false);
});

test("does not cache an answer that was pending when an end was published", async () => {
  const user = session();
  const { promise, resolve } = Promise.withResolvers<typeof LIVE>();
  answer = () => promise;
  const first = checks.isLive(user);
  checks.drop(user);
  resolve(LIVE);
  expect(await first).toBe(true);
  answer = async () => ENDED;
  expect(await checks.isLive(user)).toBe(false);
});

test("trusts only cached answers while auth is unavailable", async () => {
  const user = session();
  await checks.isLive(user);
  answer = () => Promise.reject(new Failure("unavailable", "AWAY", "Try again."));
  expect(await checks.isLive(user)).toBe(true);
  await expect(checks.ask(user)).rejects.toMatchObject({ kind: "unavailable" });
  clock.advance(4_000);
  await expect(checks.isLive(user)).rejects.toMatchObject({ kind: "unavailable" });
});

test.each([
  ["ahead by 10 min", 600_000],
  ["back by 2 min", -120_000],
])("keeps an answer for the same 4 s when the clock steps %s", async (_, ms) => {
  const user = session();
  await checks.isLive(user);
  clock.step(ms);
  clock.advance(3_999);
  await checks.isLive(user);
  expect(asked).toBe(1);
  clock.advance(1);
  await checks.isLive(user);
  expect(asked).toBe(2);
});
