import { randomUUID } from "node:crypto";

import { systemClock } from "@nutrition/core/clock";
import { Database } from "@nutrition/postgres/database";
import { MutationKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { ageSubject } from "@nutrition/test-support/aging";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Batcher } from "../src/decisions/batcher.ts";
import { AccountMemory } from "../src/decisions/account-memory.ts";
import { SteadyTime } from "../src/domain/steady-time.ts";
import type { LimitRequest } from "../src/domain/usage.ts";
import { accountSubject } from "../src/domain/usage.ts";
import { cleanUp } from "../src/operations/clean-up.ts";
import { decideBatch } from "../src/operations/decide-batch.ts";
import { keyRequest, keyPolicies, runLoad } from "./load.ts";
import { findExcess } from "./oracle.ts";
import type { Setting } from "./setup.ts";
import {
  callOf,
  countKey,
  createSetting,
  newUser,
  reserve,
  shippedPolicies,
  startInstance,
} from "./setup.ts";
import { decideInSingleStatement } from "./single-statement.ts";

const INSTANCES = 3;
const KEY_MAX = 120;
const keyHour = keyPolicies([KEY_MAX, 3_600]);

let setting: Setting;

beforeAll(async () => {
  setting = await createSetting();
  await cleanUp(setting.test.database, 35);
});

afterAll(() => setting[Symbol.asyncDispose]());

/** Instances that batch independently and share only the database. */
async function hammer(decide: typeof decideBatch, keyIds: readonly string[]): Promise<number> {
  const { url, schema } = setting.test;
  await using stack = new AsyncDisposableStack();
  const batchers = Array.from({ length: INSTANCES }, () => {
    const memory = new AccountMemory();
    const options = { url, schema, maxConnections: 2, pipelined: true };
    const database = stack.use(new Database(options));
    const held = {
      policies: keyHour,
      holdMs: 60_000,
      time: new SteadyTime(systemClock),
      known: memory,
    };
    const decideMany = async (limitRequests: readonly LimitRequest[]) =>
      (await decide(database, limitRequests, held)).decisions;
    return stack.use(new Batcher(decideMany, 4_096));
  });
  let next = 0;
  const { allowed } = await runLoad(
    (limitRequest) => (batchers[next++ % INSTANCES] as Batcher).decide(limitRequest),
    (index) => keyRequest(keyIds[index % keyIds.length] as string),
    { callers: 48, total: keyIds.length * KEY_MAX * 2 },
  );
  return allowed;
}

test("three instances allow a hot key exactly its limit", async () => {
  expect(await hammer(decideBatch, [randomUUID()])).toBe(KEY_MAX);
  expect(await findExcess(setting.test.database, keyHour.all)).toEqual([]);
});

test("three instances allow each of several hot keys exactly its limit", async () => {
  const keyIds = Array.from({ length: 8 }, () => randomUUID());
  expect(await hammer(decideBatch, keyIds)).toBe(KEY_MAX * keyIds.length);
  expect(await findExcess(setting.test.database, keyHour.all)).toEqual([]);
});

test("the check detects an implementation that locks and reads in one statement", async () => {
  const keyIds = Array.from({ length: 8 }, () => randomUUID());
  const allowed = await hammer(decideInSingleStatement, keyIds);
  const excess = await findExcess(setting.test.database, keyHour.all);
  await setting.test.database.query({ text: "truncate usage_events, subjects", values: [] });

  expect(allowed).toBeGreaterThan(KEY_MAX * keyIds.length);
  expect(excess.length).toBeGreaterThan(0);
});

test("three services allow a hot key exactly 120 requests", async () => {
  await using stack = new AsyncDisposableStack();
  const started = await Promise.all(
    Array.from({ length: INSTANCES }, () => startInstance(setting)),
  );
  const gateways = started.map((instance) => stack.use(instance).as("gateway"));
  const user = newUser();
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => countKey(gateways[n % INSTANCES]!, user)),
  );
  expect(answers.filter(({ refusal }) => refusal === undefined)).toHaveLength(KEY_MAX);
  const remaining = answers.map(({ policies }) => policies[0]?.remaining);
  expect(new Set(remaining).size).toBe(KEY_MAX);
  expect(await findExcess(setting.test.database, shippedPolicies.all)).toEqual([]);
});

test("no mixture of writes over three services and two months exceeds any limit", async () => {
  const user = newUser();
  const call = await callOf(setting, user);
  let allowed = 0;
  for (const ageSeconds of [2, 590, 3_000, 3_500, 80_000, 86_000, 1_000_000, 2_500_000]) {
    await using stack = new AsyncDisposableStack();
    const starting = Array.from({ length: INSTANCES }, () => startInstance(setting));
    const started = await Promise.all(starting);
    const journals = started.map((instance) => stack.use(instance).as("journal"));
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, n) => reserve(journals[n % INSTANCES]!, call, writeNumber(n))),
    );
    allowed += answers.filter(({ outcome }) => outcome.case === "reservation").length;
    await ageSubject(setting.test.database, accountSubject(user.accountId), ageSeconds);
  }
  expect(allowed).toBeGreaterThan(40);
  expect(await findExcess(setting.test.database, shippedPolicies.all)).toEqual([]);
});

function writeNumber(n: number) {
  const kinds = [MutationKind.LOG, MutationKind.MERGE, MutationKind.DELETE, MutationKind.EDIT];
  const kind = kinds[n % kinds.length] as MutationKind;
  const lines = kind === MutationKind.LOG ? (n % 12) + 1 : 0;
  return { kind, lines, date: `2026-11-${String((n % 3) + 10)}` };
}
