import { randomUUID } from "node:crypto";

import { systemClock } from "@nutrition/core/clock";
import { ageSubject } from "@nutrition/test-support/aging";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { AccountMemory } from "../src/decisions/account-memory.ts";
import { SteadyTime } from "../src/domain/steady-time.ts";
import { PolicySet } from "../src/domain/policy.ts";
import type { Policy } from "../src/domain/policy.ts";
import type { LimitRequest } from "../src/domain/usage.ts";
import { accountSubject } from "../src/domain/usage.ts";
import { cleanUp } from "../src/operations/clean-up.ts";
import { decideBatch } from "../src/operations/decide-batch.ts";
import { refundRequests } from "../src/operations/refund-requests.ts";
import { settleReservation } from "../src/operations/settle-reservation.ts";
import { accountPolicies, accountRequest, accountWrite } from "./arbitraries.ts";
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

const TEMPLATE = "0199a000-0000-7000-8000-000000000000";

const batch = fc.record({
  limitRequests: fc.array(fc.oneof(accountWrite(TEMPLATE), accountRequest(TEMPLATE)), {
    minLength: 1,
    maxLength: 8,
  }),
  // Sums of these stay 10 s away from the end of every window, because real time also passes.
  pauseSeconds: fc.constantFrom(0, 0, 20, 40, 300),
  instance: fc.nat(1),
  undo: fc.constantFrom("released" as const, "failed" as const, undefined),
});

interface Batch {
  limitRequests: LimitRequest[];
  pauseSeconds: number;
  instance: number;
  undo: "released" | "failed" | undefined;
}

test("the database decides any policies, requests and writes like the naive model", async () => {
  await fc.assert(
    fc.asyncProperty(accountPolicies, fc.array(batch, { maxLength: 12 }), async (all, batches) => {
      const slow = all.filter(({ windowSeconds }) => windowSeconds > 1);
      await compare(slow, batches);
      expect(await findExcess(setting.test.database, slow)).toEqual([]);
      await setting.test.database.query({ text: "truncate usage_events, subjects", values: [] });
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

async function compare(policies: Policy[], batches: Batch[]): Promise<void> {
  const { database } = setting.test;
  const accountId = randomUUID();
  const options = { policies: new PolicySet("test", policies, []), holdMs: 60_000 };
  const model = new NaiveModel(policies);
  const subjects = new Set([accountSubject(accountId)]);
  let memories = [new AccountMemory(), new AccountMemory()];
  let nowUs = 0;
  for (const { limitRequests, pauseSeconds, instance, undo } of batches) {
    nowUs += pauseSeconds * 1_000_000;
    if (pauseSeconds > 0) {
      for (const subject of subjects) await ageSubject(database, subject, pauseSeconds);
      // Empty memories, because memory does not age with the database.
      memories = [new AccountMemory(), new AccountMemory()];
    }
    const accountRequests = limitRequests.map((limitRequest) => ofAccount(limitRequest, accountId));
    for (const { subject } of accountRequests) subjects.add(subject);
    const memory = memories[instance] as AccountMemory;
    const { decisions } = await decideBatch(database, accountRequests, {
      ...options,
      time: new SteadyTime(systemClock),
      known: memory,
    });
    for (const [index, limitRequest] of accountRequests.entries()) {
      const decision = decisions[index];
      const expected = model.violated(limitRequest, nowUs);
      const violated = decision?.allowed
        ? []
        : decision?.violations.map(({ policy }) => policy.name).toSorted();
      expect(violated).toEqual(expected.toSorted());
      if (expected.length === 0) model.allow(limitRequest, nowUs);
    }
    const undone = accountRequests.findIndex((_, index) => decisions[index]?.allowed);
    if (undone === -1 || !undo) continue;
    const limitRequest = accountRequests[undone] as LimitRequest;
    model.settle(limitRequest.requestId, limitRequest.reservationId === null ? "released" : undo);
    await takeBack(limitRequest, (decisions[undone] as { atUs: number }).atUs, undo);
  }
}

async function takeBack(
  limitRequest: LimitRequest,
  atUs: number,
  undo: "released" | "failed",
): Promise<void> {
  const { database } = setting.test;
  const { reservationId } = limitRequest;
  if (reservationId === null) await refundRequests(database, [{ ...limitRequest, atUs }]);
  else await settleReservation(database, reservationId, undo);
}

function ofAccount(limitRequest: LimitRequest, accountId: string): LimitRequest {
  const rename = (text: string) => text.replace(TEMPLATE.slice(0, -1), accountId.slice(0, -1));
  return {
    ...limitRequest,
    accountId,
    subject:
      limitRequest.subjectKind === "account"
        ? accountSubject(accountId)
        : rename(limitRequest.subject),
    credentialId: rename(limitRequest.credentialId),
    requestId: randomUUID(),
    reservationId: limitRequest.reservationId && randomUUID(),
  };
}
