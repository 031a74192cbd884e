import type { Clock } from "@nutrition/core/clock";

import type { Decision, Refused } from "../domain/decision.ts";
import type { PolicySet } from "../domain/policy.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { decisionKey } from "../domain/usage.ts";
import type { DecidedBatch } from "../operations/decide-batch.ts";
import type { DecideMany } from "./batcher.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { DenialCache } from "./denial-cache.ts";
import { CACHED_MAX_MS } from "./denial-cache.ts";
import type { SignedQuestion, SharedDenial } from "./denial-signature.ts";
import type { SharedDenials } from "./shared-denials.ts";

export interface CacheDenialsDependencies {
  denialCache: DenialCache;
  /** Undefined without Redis. */
  shared: SharedDenials | undefined;
  databaseClock: DatabaseClock;
  clock: Clock;
  /** The policies in effect. */
  policies: () => PolicySet;
  /** Decides in the database. */
  decide: (limitRequests: readonly LimitRequest[], policies: PolicySet) => Promise<DecidedBatch>;
}

/**
 * Wraps the decisions of a batch: answers limit requests whose denial became known while they
 * waited, and caches and shares new denials.
 */
export function cacheDenials(dependencies: CacheDenialsDependencies): DecideMany {
  const { denialCache, databaseClock, clock } = dependencies;
  return async (limitRequests) => {
    const cachedDenials = limitRequests.map((limitRequest): Decision | undefined =>
      denialCache.find(limitRequest),
    );
    const open = limitRequests.filter((_, index) => !cachedDenials[index]);
    if (open.length === 0) return cachedDenials as Decision[];
    const policies = dependencies.policies();
    const origin = { version: policies.version, askedAtMs: clock.monotonicMs() };
    const { nowUs, decisions } = await dependencies.decide(open, policies);
    databaseClock.observe(nowUs, origin.askedAtMs);
    for (const [index, limitRequest] of open.entries()) {
      const decision = decisions[index] as Decision;
      if (decision.allowed || decision.frozenMs === 0) continue;
      denialCache.remember(limitRequest, decision, origin);
      const about = { version: origin.version, question: decisionKey(limitRequest) };
      if (dependencies.shared) share(dependencies.shared, about, { refused: decision, nowUs });
    }
    const answers = decisions.values();
    return cachedDenials.map((decision) => decision ?? (answers.next().value as Decision));
  };
}

function share(
  shared: SharedDenials,
  about: SignedQuestion,
  { refused, nowUs }: { refused: Refused; nowUs: number },
): void {
  const liveMs = Math.min(refused.frozenMs, CACHED_MAX_MS);
  const frozenUntilUs = nowUs + liveMs * 1_000;
  shared.share(about, { refused, decidedAtUs: nowUs, frozenUntilUs }, liveMs);
}

/**
 * Caches a denial shared by another instance if it still holds by the database's clock; Redis may
 * deliver it late or keep it too long.
 */
export function adoptDenial(
  {
    denialCache,
    databaseClock,
    clock,
  }: Pick<CacheDenialsDependencies, "denialCache" | "databaseClock" | "clock">,
  { version, question }: SignedQuestion,
  { refused, decidedAtUs, frozenUntilUs }: SharedDenial,
): void {
  const decidedAt = databaseClock.toMonotonic(decidedAtUs);
  const frozenUntil = databaseClock.toMonotonic(frozenUntilUs);
  if (!decidedAt || !frozenUntil || frozenUntil.earliestMs <= clock.monotonicMs()) return;
  denialCache.adopt(question, version, {
    refused,
    frozenUntilMs: frozenUntil.earliestMs,
    decidedAtMs: decidedAt.latestMs,
  });
}
