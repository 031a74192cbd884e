import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import { AccountMemory } from "../src/decisions/account-memory.ts";
import type { Intent } from "../src/domain/usage.ts";
import { cleanUp } from "../src/operations/clean-up.ts";
import { decideBatch } from "../src/operations/decide-batch.ts";
import { keyIntent, keyPolicies } from "./load.ts";
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
  const ask = () => keyIntent(keyId, accountId);
  const startOne = () => {
    const options = { policies, holdMs: 60_000, known: new AccountMemory() };
    return async (...intents: Intent[]) => {
      const { decisions } = await decideBatch(database, intents, options);
      return decisions.map(({ allowed }) => allowed);
    };
  };
  return { ask, startOne };
}

test("a batch that cannot be stored uses no units", async () => {
  const { ask, startOne } = setup();
  const decide = startOne();
  expect(await decide(ask())).toEqual([true]);
  const broken = keyIntent(randomUUID(), "not a UUID");

  await expect(decide(ask(), ask(), broken)).rejects.toThrow("uuid");

  expect(await decide(ask(), ask(), ask())).toEqual([true, true, false]);
});

test("an instance sees what others decided since, and nothing twice", async () => {
  const { ask, startOne } = setup();
  const [first, second] = [startOne(), startOne()];
  expect(await first(ask())).toEqual([true]);
  expect(await second(ask())).toEqual([true]);
  expect(await first(ask())).toEqual([true]);
  expect(await second(ask())).toEqual([false]);
  expect(await first(ask())).toEqual([false]);
});
