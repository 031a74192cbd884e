import { Secret } from "@nutrition/core/secret";
import { Database } from "@nutrition/postgres/database";
import { afterAll, beforeAll, expect, test } from "vitest";

import { keySubject } from "../src/domain/usage.ts";
import { findExcess } from "./oracle.ts";
import { startProxy } from "./proxy.ts";
import type { Setting } from "./setup.ts";
import { countKey, createSetting, newUser, shippedPolicies, startInstance } from "./setup.ts";

let setting: Setting;

beforeAll(async () => {
  setting = await createSetting();
});

afterAll(() => setting[Symbol.asyncDispose]());

async function countEvents(subject: string): Promise<number> {
  const rows = await setting.test.database.query<{ events: number }>({
    text: "select count(*) as events from usage_events where subject = $1",
    values: [subject],
  });
  return rows[0]?.events ?? 0;
}

test("nothing is allowed while the database is unavailable, and everything works once it is back", async () => {
  await using proxy = await startProxy(new URL(setting.test.url));
  await using instance = await startInstance(setting, { DATABASE_URL: new Secret(proxy.url) });
  const gateway = instance.as("gateway");
  const user = newUser();
  await countKey(gateway, user);

  proxy.cut();
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => countKey(gateway, user)),
  );
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
    expect((answer as PromiseRejectedResult).reason.retryAfterMs).toBeGreaterThan(0);
  }

  proxy.mend();
  expect((await countKey(gateway, user)).refusal).toBeUndefined();
  expect(await countEvents(keySubject(user.credentialId))).toBe(2);
});

test("every allowed request is in the log, however often the connection breaks", async () => {
  await using proxy = await startProxy(new URL(setting.test.url));
  await using instance = await startInstance(setting, { DATABASE_URL: new Secret(proxy.url) });
  const gateway = instance.as("gateway");
  const user = newUser();
  let allowed = 0;
  for (let round = 0; round < 10; round += 1) {
    const asked = Array.from({ length: 20 }, () => countKey(gateway, user));
    const settled = Promise.allSettled(asked);
    // Breaks the connection at a different point of the batches in each round.
    await Promise.race([asked[round], settled]).catch(() => {});
    proxy.cut();
    proxy.mend();
    const answers = await settled;
    allowed += answers.filter(
      (answer) => answer.status === "fulfilled" && answer.value.refusal === undefined,
    ).length;
  }
  expect(allowed).toBeGreaterThan(0);
  expect(await countEvents(keySubject(user.credentialId))).toBeGreaterThanOrEqual(allowed);
  expect(await findExcess(setting.test.database, shippedPolicies.all)).toEqual([]);
});

test("a flood of refused requests sends no query to the database", async () => {
  await using proxy = await startProxy(new URL(setting.test.url));
  await using instance = await startInstance(setting, { DATABASE_URL: new Secret(proxy.url) });
  const gateway = instance.as("gateway");
  const user = newUser();
  for (let n = 0; n < 6; n += 1) await countKey(gateway, user, 20);
  const { refusal: first } = await countKey(gateway, user);

  proxy.cut();
  const answers = await Promise.all(Array.from({ length: 500 }, () => countKey(gateway, user)));

  expect(answers.every(({ refusal }) => refusal?.violated[0] === "key-hour")).toBe(true);
  const waits = answers.map(({ refusal }) => Number(refusal?.retryAfter?.seconds));
  expect(Math.max(...waits)).toBeLessThanOrEqual(Number(first?.retryAfter?.seconds));
  expect(Math.min(...waits)).toBeGreaterThan(3_500);
});

test("requests beyond the queue's capacity are refused immediately", async () => {
  await using instance = await startInstance(setting, { LIMITS_QUEUE_MAX: 3 });
  const gateway = instance.as("gateway");
  const { url, schema } = setting.test;
  await using blocker = new Database({ url, schema });
  let answers: PromiseSettledResult<unknown>[] = [];
  await blocker.transaction(async (tx) => {
    await tx.query({ text: "lock table usage_events", values: [] });
    const asked = Array.from({ length: 20 }, () => countKey(gateway, newUser()));
    const refused = asked.map((answer) =>
      answer.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    // At most one batch of 3 runs and 3 more wait; the others are refused without waiting for the
    // lock.
    expect(await Promise.race(refused)).toMatchObject({
      kind: "unavailable",
      reason: "LIMITS_OVERLOADED",
    });
    void Promise.allSettled(asked).then((settled) => (answers = settled));
  });
  await expect.poll(() => answers.length).toBe(20);
  expect(answers.some(({ status }) => status === "fulfilled")).toBe(true);
});
