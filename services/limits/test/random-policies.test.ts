import { randomUUID } from "node:crypto";

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { SubjectMemory } from "../src/decisions/subject-memory.ts";
import { PolicySet } from "../src/domain/policy.ts";
import type { Policy } from "../src/domain/policy.ts";
import type { Intent } from "../src/domain/usage.ts";
import { accountSubject } from "../src/domain/usage.ts";
import { cleanUp } from "../src/operations/clean-up.ts";
import { decideBatch } from "../src/operations/decide-batch.ts";
import { settleReservation } from "../src/operations/settle-reservation.ts";
import { ageSubject } from "./aging.ts";
import { accountPolicies, accountWrite } from "./arbitraries.ts";
import { NaiveModel } from "./naive-model.ts";
import { findExcess } from "./oracle.ts";
import type { Setting } from "./setup.ts";
import { createSetting } from "./setup.ts";

let setting: Setting;

beforeAll(async () => {
  setting = await createSetting();
  await cleanUp(setting.test.database, 35);
});

afterAll(() => setting[Symbol.asyncDispose]());

const batch = fc.record({
  intents: fc.array(accountWrite("0199a000-0000-7000-8000-000000000001"), {
    minLength: 1,
    maxLength: 6,
  }),
  // Sums of these stay 10 s away from every window's end, as real time passes too.
  pauseSeconds: fc.constantFrom(0, 20, 40, 300),
  release: fc.boolean(),
});

test("the database decides any policies and writes as a person going through the log would", async () => {
  await fc.assert(
    fc.asyncProperty(accountPolicies, fc.array(batch, { maxLength: 12 }), async (all, batches) => {
      const slow = all.filter(({ windowSeconds }) => windowSeconds > 1);
      const accountId = randomUUID();
      await compare(slow, accountId, batches);
      const excess = await findExcess(setting.test.database, slow);
      const own = excess.filter(({ subject }) => subject === accountSubject(accountId));
      expect(own).toEqual([]);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

async function compare(
  policies: Policy[],
  accountId: string,
  batches: { intents: Intent[]; pauseSeconds: number; release: boolean }[],
): Promise<void> {
  const { database } = setting.test;
  const options = {
    policies: new PolicySet("test", policies, []),
    holdMs: 60_000,
    known: new SubjectMemory(),
  };
  const model = new NaiveModel(policies);
  const subject = accountSubject(accountId);
  let nowUs = 0;
  for (const { intents, pauseSeconds, release } of batches) {
    nowUs += pauseSeconds * 1_000_000;
    await ageSubject(database, subject, pauseSeconds);
    const own = intents.map((intent) => ({
      ...intent,
      subject,
      accountId,
      reservationId: randomUUID(),
    }));
    const { decisions } = await decideBatch(database, own, options);
    for (const [index, intent] of own.entries()) {
      const decision = decisions[index];
      const expected = model.violated(intent, nowUs);
      const violated = decision?.allowed
        ? []
        : decision?.violations.map(({ policy }) => policy.name).toSorted();
      expect(violated).toEqual(expected.toSorted());
      if (expected.length === 0) model.allow(intent, nowUs);
    }
    const [first] = own.filter((_, index) => decisions[index]?.allowed);
    if (!first || !release) continue;
    await settleReservation(database, first.reservationId, "released");
    model.settle(first.reservationId, "released");
  }
}
