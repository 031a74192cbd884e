import fc from "fast-check";

import type { Policy } from "../src/domain/policy.ts";
import { counterKey } from "../src/domain/policy.ts";
import type { Intent, MutationKind } from "../src/domain/usage.ts";
import { MUTATION_KINDS, accountSubject } from "../src/domain/usage.ts";

interface Shape {
  counts: "mutations" | "lines";
  kinds: MutationKind[] | undefined;
  eachDate: boolean;
  max: number;
  windowSeconds: number;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  counts: fc.constantFrom("mutations" as const, "lines" as const),
  kinds: fc.option(fc.subarray([...MUTATION_KINDS], { minLength: 1 }), { nil: undefined }),
  eachDate: fc.boolean(),
  max: fc.integer({ min: 1, max: 12 }),
  windowSeconds: fc.constantFrom(1, 10, 50, 90, 3_610),
});

const COUNTS_EVERYTHING: Shape = {
  counts: "mutations",
  kinds: undefined,
  eachDate: false,
  max: 4,
  windowSeconds: 610,
};

/** Policies of an account; one of them counts everything, as the policy file demands. */
export const accountPolicies: fc.Arbitrary<Policy[]> = fc
  .array(shape, { maxLength: 5 })
  .map((shapes) => [COUNTS_EVERYTHING, ...shapes])
  .map((shapes) => shapes.map(toPolicy))
  .map((policies) => [...new Map(policies.map((policy) => [counterKey(policy), policy])).values()]);

function toPolicy({ counts, kinds, eachDate, max, windowSeconds }: Shape, index: number): Policy {
  return {
    name: `policy-${index}`,
    counts,
    ...(counts === "mutations" && kinds ? { kinds } : {}),
    eachJournalDate: counts === "lines" && eachDate,
    max,
    windowSeconds,
  };
}

/** A write of one account, which holds its room until it is settled. */
export function accountWrite(accountId: string): fc.Arbitrary<Intent> {
  return fc.record({
    subject: fc.constant(accountSubject(accountId)),
    subjectKind: fc.constant("account" as const),
    accountId: fc.constant(accountId),
    credentialId: fc.constant("assistant"),
    requestId: fc.uuid(),
    reservationId: fc.uuid({ version: 7 }),
    kind: fc.constantFrom(...MUTATION_KINDS),
    cost: fc.constant(1),
    lines: fc.integer({ min: 0, max: 14 }),
    journalDate: fc.constantFrom("2026-11-20", "2026-11-21"),
  });
}
