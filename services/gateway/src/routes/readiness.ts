import type { Clock } from "@nutrition/core/clock";

import type { BackendState, Backends } from "../clients/backends.ts";
import type { ProxyCheck } from "../http/proxy-check.ts";

/** Minimum interval between health checks, so that probes cost the backends almost nothing. */
const ASK_INTERVAL_MS = 1_000;

type BackendStates = Readonly<Record<string, BackendState>>;

/** What a gateway tells the operator about itself. */
export interface ReadinessDetails {
  /** Last known health by name; `unknown` before the first check. */
  readonly backends: BackendStates;
  readonly warnings: readonly string[];
}

interface ReadinessDependencies {
  readonly backends: Pick<Backends, "askStates">;
  readonly proxyCheck: Pick<ProxyCheck, "warnings">;
  readonly clock: Clock;
}

/**
 * Whether the gateway accepts requests: it has started and is not stopping. An unavailable backend affects
 * every gateway, so it appears in the details but removes no gateway from the load balancer.
 */
export class Readiness {
  readonly #dependencies: ReadinessDependencies;
  #states: BackendStates = { auth: "unknown", journal: "unknown", limits: "unknown" };
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(dependencies: ReadinessDependencies) {
    this.#dependencies = dependencies;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Stops accepting requests. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Never waits: the result of a check started now appears in the next call. */
  details(): ReadinessDetails {
    const { clock, proxyCheck } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#askedAtMs >= ASK_INTERVAL_MS) {
      this.#askedAtMs = nowMs;
      void this.inspect();
    }
    return { backends: this.#states, warnings: proxyCheck.warnings };
  }

  /** Checks the backends, within a second. */
  async inspect(): Promise<ReadinessDetails> {
    const { backends, proxyCheck } = this.#dependencies;
    this.#states = await backends.askStates();
    return { backends: this.#states, warnings: proxyCheck.warnings };
  }
}
