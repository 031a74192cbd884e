import { randomUUID } from "node:crypto";

import { systemClock } from "@nutrition/core/clock";
import { afterAll, beforeAll, expect, test } from "vitest";

import { AccountMemory } from "../src/decisions/account-memory.ts";
import { SteadyTime } from "../src/domain/steady-time.ts";
import type { LimitRequest } from "../src/domain/usage.ts";
import { cleanUp } from "../src/operations/clean-up.ts";
import { decideBatch } from "../src/operations/decide-batch.ts";
import { keyRequest, keyPolicies } from "./load.ts";
import type { Setting } from "./setup.ts";
import { createSetting } from "./setup.ts";

const policies = keyPolicies([3, 3_600]);

let setting: Setting;

beforeAll(async () => {
  setting = await createSetting();
  await cleanUp(setting.test.database, 35);
});

afterAll(() => setting[Symbol.asyncDispose]());

/** Instances that share only the database. */
function setup() {
  const { database } = setting.test;
  const [keyId, accountId] = [randomUUID(), randomUUID()];
  const ask = () => keyRequest(keyId, accountId);
  const startOne = (time = new SteadyTime(systemClock)) => {
    const options = { policies, holdMs: 60_000, time, known: new AccountMemory() };
    return async (...limitRequests: LimitRequest[]) => {
      const { decisions } = await decideBatch(database, limitRequests, options);
      return decisions.map(({ allowed }) => allowed);
    };
  };
  return { ask, startOne };
}

test("a batch that cannot be stored uses no units", async () => {
  const { ask, startOne } = setup();
  const decide = startOne();
  expect(await decide(ask())).toEqual([true]);
  const broken = keyRequest(randomUUID(), "not a UUID");

  await expect(decide(ask(), ask(), broken)).rejects.toThrow("uuid");

  expect(await decide(ask(), ask(), ask())).toEqual([true, true, false]);
});

test("an instance sees what others have decided since, and counts nothing twice", async () => {
  const { ask, startOne } = setup();
  const [first, second] = [startOne(), startOne()];
  expect(await first(ask())).toEqual([true]);
  expect(await second(ask())).toEqual([true]);
  expect(await first(ask())).toEqual([true]);
  expect(await second(ask())).toEqual([false]);
  expect(await first(ask())).toEqual([false]);
});

test("an instance goes on with its own time when the database's clock has been set back", async () => {
  class AnHourAhead extends SteadyTime {
    override follow(databaseUs: number, askedAtMs: number): number {
      return super.follow(databaseUs, askedAtMs) + 3_601_000_000;
    }
  }
  const { ask, startOne } = setup();
  expect(await startOne()(ask(), ask(), ask(), ask())).toEqual([true, true, true, false]);
  expect(await startOne(new AnHourAhead(systemClock))(ask())).toEqual([true]);
});

/** Counts the statements and transactions that a decision takes. */
function counting() {
  const { database } = setting.test;
  const counts = { statements: 0, transactions: 0 };
  const counted = new Proxy(database, {
    get(target, name) {
      if (name === "query") counts.statements += 1;
      if (name === "transaction") counts.transactions += 1;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  return { counts, counted };
}

test("a request costs one statement while memory is complete, including the first of an account", async () => {
  const { counts, counted } = counting();
  const [keyId, accountId] = [randomUUID(), randomUUID()];
  const options = {
    policies,
    holdMs: 60_000,
    time: new SteadyTime(systemClock),
    known: new AccountMemory(),
  };
  const decide = async () => {
    const { decisions } = await decideBatch(counted, [keyRequest(keyId, accountId)], options);
    return decisions[0];
  };

  for (const remaining of [2, 1, 0]) {
    expect(await decide()).toMatchObject({ allowed: true, policies: [{ remaining }] });
  }
  expect(counts).toEqual({ statements: 3, transactions: 0 });

  // A refusal is decided from the log, not from memory.
  expect(await decide()).toMatchObject({ allowed: false });
  expect(counts).toEqual({ statements: 3, transactions: 1 });
});

test("an instance reads the events that its memory lacks before it decides", async () => {
  const { counts, counted } = counting();
  const { ask, startOne } = setup();
  expect(await startOne()(ask(), ask())).toEqual([true, true]);
  const options = {
    policies,
    holdMs: 60_000,
    time: new SteadyTime(systemClock),
    known: new AccountMemory(),
  };
  const { decisions } = await decideBatch(counted, [ask(), ask()], options);
  expect(decisions).toMatchObject([
    { allowed: true, policies: [{ remaining: 0 }] },
    { allowed: false },
  ]);
  expect(counts).toEqual({ statements: 1, transactions: 1 });
});
