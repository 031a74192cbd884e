import { limitsRefusals } from "@nutrition/telemetry/metrics/nutrition";

import type { Decision } from "../domain/decision.ts";
import type { LimitRequest } from "../domain/usage.ts";
import type { Batcher } from "./batcher.ts";
import type { DenialCache } from "./denial-cache.ts";
import type { DenialCounter } from "./denial-counter.ts";

export interface DeciderDependencies {
  batcher: Batcher;
  denialCache: DenialCache;
  refusals: DenialCounter;
  /** Asks other instances for a known denial, without waiting for the answer. */
  look: (limitRequest: LimitRequest) => void;
}

/**
 * Answers limit requests from memory when the denial is known, otherwise with a committed decision.
 */
export class Decider {
  readonly #parts: DeciderDependencies;

  constructor(dependencies: DeciderDependencies) {
    this.#parts = dependencies;
  }

  async decide(limitRequest: LimitRequest, signal?: AbortSignal): Promise<Decision> {
    const { batcher, denialCache, refusals, look } = this.#parts;
    let decision: Decision | undefined = denialCache.find(limitRequest);
    if (!decision) {
      look(limitRequest);
      decision = await batcher.decide(limitRequest, signal);
    }
    if (!decision.allowed) {
      refusals.add(decision);
      limitsRefusals.add(1, { "nutrition.policy": decision.violations[0].policy.name });
    }
    return decision;
  }
}
