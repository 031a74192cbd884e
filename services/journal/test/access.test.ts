import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { CallOptions } from "@nutrition/rpc/service-definition";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Harness } from "./harness.ts";
import { as, createHarness, newUser } from "./harness.ts";

type Method = keyof typeof JournalService.method;
type Call = (request: object, options: CallOptions) => Promise<unknown>;

/** Methods for tools and scripts, and for the limits service. */
const EVERYDAY: readonly string[] = [
  "getSummary",
  "listEntries",
  "listWeights",
  "findWeights",
  "listDailyTotals",
  "listOccasions",
  "getSettings",
  "logFood",
  "editFoodItem",
  "mergeFoodItems",
  "deleteFoodItem",
  "resolveReservation",
];

/** All other methods: settings, weights, audit records, export, import and erasure. */
const MANAGING = (Object.keys(JournalService.method) as Method[]).filter(
  (method) => !EVERYDAY.includes(method),
);
const CASES = MANAGING.flatMap((method) =>
  (["api_key", "connector"] as const).flatMap((kind) =>
    (["gateway", "web"] as const).map((caller) => ({ method, kind, caller })),
  ),
);

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

test.each(CASES)(
  "$method is refused to $caller for a user with $kind",
  async ({ method, kind, caller }) => {
    const user = { ...newUser(), credentialKind: kind };
    const call = harness.journal.client(caller)[method] as unknown as Call;
    await expect(call({}, as(user))).rejects.toMatchObject({
      kind: "permission_denied",
      reason: "CALL_NOT_ALLOWED",
    });
  },
);
