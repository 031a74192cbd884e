import fc from "fast-check";
import { expect, test } from "vitest";

import { keyIntent, keyPolicies } from "../../test/load.ts";
import { MemoryLog } from "../../test/memory-log.ts";
import { NaiveModel } from "../../test/naive-model.ts";

const START_US = 1_763_700_000_000_000;

test("a long history is counted as a person would, while its old events are let go", () => {
  const policies = keyPolicies([40, 60], [9, 10]).all;
  const pauseUs = fc.integer({ min: 0, max: 3_000_000 });
  fc.assert(
    fc.property(fc.array(pauseUs, { minLength: 300, maxLength: 400 }), (pauses) => {
      const model = new NaiveModel(policies);
      const log = new MemoryLog();
      let nowUs = START_US;
      for (const pause of pauses) {
        nowUs += pause + 1;
        const intent = keyIntent("key");
        const decision = log.decide(policies, intent, nowUs);
        expect(decision.allowed).toBe(model.violated(intent, nowUs).length === 0);
        if (decision.allowed) model.allow(intent, decision.atUs);
      }
    }),
    { numRuns: 20 },
  );
});
