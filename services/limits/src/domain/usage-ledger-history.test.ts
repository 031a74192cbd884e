import fc from "fast-check";
import { expect, test } from "vitest";

import { keyRequest, keyPolicies } from "../../test/load.ts";
import { MemoryLog } from "../../test/memory-log.ts";
import { NaiveModel } from "../../test/naive-model.ts";
import type { Policy } from "./policy.ts";

const START_US = 1_763_700_000_000_000;
const ACCOUNT_ID = "0199a000-0000-7000-8000-000000000001";

test("counts a long history of several keys like the naive model while dropping old events", () => {
  const account: Policy = {
    name: "account",
    counts: "requests",
    eachJournalDate: false,
    max: 45,
    windowSeconds: 50,
  };
  const policies = [...keyPolicies([40, 60], [9, 10]).all, account];
  const step = fc.record({
    pauseUs: fc.integer({ min: 0, max: 2_000_000 }),
    key: fc.constantFrom("a", "a", "a", "b", "c"),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 300, maxLength: 400 }), (steps) => {
      const model = new NaiveModel(policies);
      const log = new MemoryLog();
      let nowUs = START_US;
      for (const { pauseUs, key } of steps) {
        nowUs += pauseUs + 1;
        const limitRequest = keyRequest(key, ACCOUNT_ID);
        const decision = log.decide(policies, limitRequest, nowUs);
        expect(decision.allowed).toBe(model.violated(limitRequest, nowUs).length === 0);
        if (decision.allowed) model.allow(limitRequest, decision.atUs);
      }
    }),
    { numRuns: 20 },
  );
});
