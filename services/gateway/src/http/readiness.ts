import type { Clock } from "@nutrition/core/clock";

import type { Backends } from "../clients/backends.ts";

/** An answer is used again this long, so that probes cost the backends next to nothing. */
const ANSWER_AGE_MAX_MS = 1_000;

/** Whether the gateway can do its work: it is not stopping and its backends are serving. */
export class Readiness {
  readonly #backends: Pick<Backends, "listNotServing">;
  readonly #clock: Clock;
  #answer: { askedAtMs: number; notServing: Promise<string[]> } | undefined;
  #isStopping = false;

  constructor(backends: Pick<Backends, "listNotServing">, clock: Clock) {
    this.#backends = backends;
    this.#clock = clock;
  }

  /** From now on the answer is no. */
  stop(): void {
    this.#isStopping = true;
  }

  /** What is missing; empty when ready. */
  async listMissing(): Promise<string[]> {
    if (this.#isStopping) return ["gateway"];
    const nowMs = this.#clock.monotonicMs();
    if (!this.#answer || nowMs - this.#answer.askedAtMs > ANSWER_AGE_MAX_MS) {
      this.#answer = { askedAtMs: nowMs, notServing: this.#backends.listNotServing() };
    }
    return this.#answer.notServing;
  }
}
