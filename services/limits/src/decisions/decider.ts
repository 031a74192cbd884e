import type { Clock } from "@nutrition/core/clock";

import type { Decision } from "../domain/decision.ts";
import type { Intent } from "../domain/usage.ts";
import type { Batcher } from "./batcher.ts";
import type { DenyCache } from "./deny-cache.ts";
import type { RefusalTally } from "./refusal-tally.ts";

export interface DeciderParts {
  batcher: Batcher;
  denyCache: DenyCache;
  refusals: RefusalTally;
  clock: Clock;
  /** Version of the policies in force. */
  policyVersion: () => string;
}

/** Answers intents: from memory when the refusal is known, else by a committed decision. */
export class Decider {
  readonly #parts: DeciderParts;

  constructor(parts: DeciderParts) {
    this.#parts = parts;
  }

  async decide(intent: Intent, signal?: AbortSignal): Promise<Decision> {
    const { batcher, denyCache, refusals, clock, policyVersion } = this.#parts;
    const known = denyCache.find(intent);
    if (known) {
      refusals.add(known);
      return known;
    }
    const origin = { version: policyVersion(), askedAtMs: clock.monotonicMs() };
    const decision = await batcher.decide(intent, signal);
    if (!decision.allowed) refusals.add(decision);
    denyCache.remember(intent, decision, origin);
    return decision;
  }
}
