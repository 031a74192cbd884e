import { limitsRefusals } from "@nutrition/telemetry/metrics/nutrition";

import type { Decision } from "../domain/decision.ts";
import type { Intent } from "../domain/usage.ts";
import type { Batcher } from "./batcher.ts";
import type { DenyCache } from "./deny-cache.ts";
import type { RefusalTally } from "./refusal-tally.ts";

export interface DeciderParts {
  batcher: Batcher;
  denyCache: DenyCache;
  refusals: RefusalTally;
  /** Asks other instances for a known denial, without waiting for the answer. */
  look: (intent: Intent) => void;
}

/** Answers intents from memory when the denial is known, otherwise with a committed decision. */
export class Decider {
  readonly #parts: DeciderParts;

  constructor(parts: DeciderParts) {
    this.#parts = parts;
  }

  async decide(intent: Intent, signal?: AbortSignal): Promise<Decision> {
    const { batcher, denyCache, refusals, look } = this.#parts;
    let decision: Decision | undefined = denyCache.find(intent);
    if (!decision) {
      look(intent);
      decision = await batcher.decide(intent, signal);
    }
    if (!decision.allowed) {
      refusals.add(decision);
      limitsRefusals.add(1, { "nutrition.policy": decision.violations[0].policy.name });
    }
    return decision;
  }
}
