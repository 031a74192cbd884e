import { createHash, randomUUID } from "node:crypto";

import type { Decision } from "../src/domain/decision.ts";
import type { Policy } from "../src/domain/policy.ts";
import { PolicySet } from "../src/domain/policy.ts";
import type { LimitRequest } from "../src/domain/usage.ts";
import { keySubject } from "../src/domain/usage.ts";

/** A request with an API key; by default, a key always has the same account. */
export function keyRequest(keyId: string, accountId: string = uuidOf(keyId)): LimitRequest {
  return {
    subject: keySubject(keyId),
    subjectKind: "api_key",
    accountId,
    credentialId: keyId,
    requestId: randomUUID(),
    reservationId: null,
    kind: "request",
    cost: 1,
    lines: 0,
    journalDate: null,
  };
}

const uuids = new Map<string, string>();

function uuidOf(text: string): string {
  const cached = uuids.get(text);
  if (cached) return cached;
  const hex = createHash("sha256").update(text).digest("hex");
  const uuid = hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  uuids.set(text, uuid);
  return uuid;
}

/** Policies of API keys alone, each `[max, windowSeconds]`. */
export function keyPolicies(...limits: readonly [max: number, windowSeconds: number][]): PolicySet {
  const policies = limits.map(([max, windowSeconds]): Policy => ({
    name: `key-${windowSeconds}`,
    counts: "api_key_requests",
    eachJournalDate: false,
    max,
    windowSeconds,
  }));
  return new PolicySet("test", policies, []);
}

/** Result of a load. */
export interface LoadResult {
  allowed: number;
  refused: number;
  decisionsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Lets `callers` send requests one after another until `total` were sent. */
export async function runLoad(
  decide: (limitRequest: LimitRequest) => Promise<Decision>,
  nextRequest: (index: number) => LimitRequest,
  { callers, total }: { callers: number; total: number },
): Promise<LoadResult> {
  const latencies: number[] = [];
  let [asked, allowed] = [0, 0];
  const caller = async () => {
    while (asked < total) {
      const startMs = performance.now();
      const decision = await decide(nextRequest(asked++));
      latencies.push(performance.now() - startMs);
      if (decision.allowed) allowed += 1;
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const elapsedSeconds = (performance.now() - startMs) / 1_000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  return {
    allowed,
    refused: latencies.length - allowed,
    decisionsPerSecond: latencies.length / elapsedSeconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}
