import type { Clock } from "@nutrition/core/clock";

import type { Decision, Refused } from "../domain/decision.ts";
import type { PolicySet } from "../domain/policy.ts";
import type { Intent } from "../domain/usage.ts";
import { questionOf } from "../domain/usage.ts";
import type { DecidedBatch } from "../operations/decide-batch.ts";
import type { DecideMany } from "./batcher.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { DenyCache } from "./deny-cache.ts";
import { REMEMBERED_MAX_MS } from "./deny-cache.ts";
import type { SealedQuestion, SharedRefusal } from "./refusal-seal.ts";
import type { SharedRefusals } from "./shared-refusals.ts";

export interface RememberingParts {
  denyCache: DenyCache;
  /** Undefined without Redis. */
  shared: SharedRefusals | undefined;
  databaseClock: DatabaseClock;
  clock: Clock;
  /** The policies in effect. */
  policies: () => PolicySet;
  /** Decides in the database. */
  decide: (intents: readonly Intent[], policies: PolicySet) => Promise<DecidedBatch>;
}

/**
 * Wraps the decisions of a batch: answers intents whose denial became known while they waited, and
 * caches and shares new denials.
 */
export function rememberRefusals(parts: RememberingParts): DecideMany {
  const { denyCache, databaseClock, clock } = parts;
  return async (intents) => {
    const known = intents.map((intent): Decision | undefined => denyCache.find(intent));
    const open = intents.filter((_, index) => !known[index]);
    if (open.length === 0) return known as Decision[];
    const policies = parts.policies();
    const origin = { version: policies.version, askedAtMs: clock.monotonicMs() };
    const { nowUs, decisions } = await parts.decide(open, policies);
    databaseClock.observe(nowUs, origin.askedAtMs);
    for (const [index, intent] of open.entries()) {
      const decision = decisions[index] as Decision;
      if (decision.allowed || decision.frozenMs === 0) continue;
      denyCache.remember(intent, decision, origin);
      const about = { version: origin.version, question: questionOf(intent) };
      if (parts.shared) share(parts.shared, about, { refused: decision, nowUs });
    }
    const answers = decisions.values();
    return known.map((decision) => decision ?? (answers.next().value as Decision));
  };
}

function share(
  shared: SharedRefusals,
  about: SealedQuestion,
  { refused, nowUs }: { refused: Refused; nowUs: number },
): void {
  const liveMs = Math.min(refused.frozenMs, REMEMBERED_MAX_MS);
  const frozenUntilUs = nowUs + liveMs * 1_000;
  shared.share(about, { refused, decidedAtUs: nowUs, frozenUntilUs }, liveMs);
}

/**
 * Caches a denial shared by another instance if it still holds by the database's clock; Redis may
 * deliver it late or keep it too long.
 */
export function adoptRefusal(
  {
    denyCache,
    databaseClock,
    clock,
  }: Pick<RememberingParts, "denyCache" | "databaseClock" | "clock">,
  { version, question }: SealedQuestion,
  { refused, decidedAtUs, frozenUntilUs }: SharedRefusal,
): void {
  const decidedAt = databaseClock.toMonotonic(decidedAtUs);
  const frozenUntil = databaseClock.toMonotonic(frozenUntilUs);
  if (!decidedAt || !frozenUntil || frozenUntil.earliestMs <= clock.monotonicMs()) return;
  denyCache.adopt(question, version, {
    refused,
    frozenUntilMs: frozenUntil.earliestMs,
    decidedAtMs: decidedAt.latestMs,
  });
}
