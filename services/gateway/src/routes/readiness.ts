import type { Clock } from "@nutrition/core/clock";

import type { BackendState, Backends } from "../clients/backends.ts";

/** Minimum interval between health checks, so that probes cost the backends almost nothing. */
const ASK_INTERVAL_MS = 1_000;

/** Details that a ready gateway reports. */
export interface ReadinessDetails {
  readonly status: "ready";
  /** Last known health by name; `unknown` before the first check. */
  readonly backends: Readonly<Record<string, BackendState>>;
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
}

/**
 * Whether the gateway accepts requests: it has started and is not stopping. An unavailable backend affects
 * every gateway, so it appears in the details but removes no gateway from the load balancer.
 */
export class Readiness {
  readonly #backends: Pick<Backends, "askStates">;
  readonly #clock: Clock;
  #states: Readonly<Record<string, BackendState>> = {
    auth: "unknown",
    journal: "unknown",
    limits: "unknown",
  };
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(backends: Pick<Backends, "askStates">, clock: Clock) {
    this.#backends = backends;
    this.#clock = clock;
  }

  /** Stops accepting requests. */
  stop(): void {
    this.#isStopping = true;
  }

  /**
   * The details, or undefined when stopping. Never waits: the result of a check started now appears
   * in the next call.
   */
  check(warnings: readonly string[]): ReadinessDetails | undefined {
    if (this.#isStopping) return undefined;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#askedAtMs >= ASK_INTERVAL_MS) {
      this.#askedAtMs = nowMs;
      void this.#ask();
    }
    return { status: "ready", backends: this.#states, warnings };
  }

  async #ask(): Promise<void> {
    this.#states = await this.#backends.askStates();
  }
}
