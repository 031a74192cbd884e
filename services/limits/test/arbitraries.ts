import { MUTATION_KINDS } from "@nutrition/core/write-tools";
import type { MutationKind } from "@nutrition/core/write-tools";
import fc from "fast-check";

import type { Policy } from "../src/domain/policy.ts";
import { COUNTED, counterKey } from "../src/domain/policy.ts";
import type { LimitRequest } from "../src/domain/usage.ts";
import { accountSubject, connectorSubject, keySubject } from "../src/domain/usage.ts";

interface Shape {
  counts: Policy["counts"];
  kinds: MutationKind[] | undefined;
  eachDate: boolean;
  max: number;
  windowSeconds: number;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  counts: fc.constantFrom(...COUNTED),
  kinds: fc.option(fc.subarray([...MUTATION_KINDS], { minLength: 1 }), { nil: undefined }),
  eachDate: fc.boolean(),
  max: fc.integer({ min: 1, max: 12 }),
  windowSeconds: fc.constantFrom(1, 10, 50, 90, 3_610),
});

/** Policies that count everything of their kind, as the policy file requires. */
const ALWAYS: Shape[] = (["mutations", "api_key_requests", "connector_requests"] as const).map(
  (counts) => ({ counts, kinds: undefined, eachDate: false, max: 4, windowSeconds: 610 }),
);

/** Policies of an account and its credentials. */
export const accountPolicies: fc.Arbitrary<Policy[]> = fc
  .array(shape, { maxLength: 7 })
  .map((shapes) => [...ALWAYS, ...shapes])
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

/** A write by one account, which holds its units until settled. */
export function accountWrite(accountId: string): fc.Arbitrary<LimitRequest> {
  return fc.record({
    subject: fc.constant(accountSubject(accountId)),
    subjectKind: fc.constant("account" as const),
    accountId: fc.constant(accountId),
    credentialId: fc.constant("assistant"),
    requestId: fc.uuid({ version: 4 }),
    reservationId: fc.uuid({ version: 7 }),
    kind: fc.constantFrom(...MUTATION_KINDS),
    cost: fc.constant(1),
    lines: fc.integer({ min: 0, max: 14 }),
    journalDate: fc.constantFrom("2026-11-20", "2026-11-21"),
  });
}

/** A request by one account with one of its fixed credentials. */
export function accountRequest(accountId: string): fc.Arbitrary<LimitRequest> {
  const keyIds = [1, 2].map((digit) => `${accountId.slice(0, -1)}${digit}`);
  const clients = ["assistant", "editor"];
  const credentials = [
    ...keyIds.map((credentialId) => ({
      credentialId,
      subjectKind: "api_key" as const,
      subject: keySubject(credentialId),
    })),
    ...clients.map((credentialId) => ({
      credentialId,
      subjectKind: "connector" as const,
      subject: connectorSubject(accountId, credentialId),
    })),
  ];
  return fc
    .record({
      credential: fc.constantFrom(...credentials),
      requestId: fc.uuid({ version: 4 }),
      cost: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ credential, ...usage }) => ({
      ...credential,
      ...usage,
      accountId,
      kind: "request",
      lines: 0,
      journalDate: null,
      reservationId: null,
    }));
}
