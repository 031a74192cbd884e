import type { IncomingHttpHeaders } from "node:http";

import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

const HOUR_MS = 3_600_000;

const WARNING =
  "Requests arrive with X-Forwarded-For or Forwarded, but TRUST_PROXY_HOPS is 0: behind a proxy all clients look like one, and share the bounds of one network. Set TRUST_PROXY_HOPS to the number of proxies in front. Without a proxy, clients send the header themselves, and nothing is to be done.";

/** Detects a proxy that the configuration does not know. */
export class ProxyCheck {
  readonly #trustedHops: number;
  readonly #logger: Logger;
  readonly #clock: Clock;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(trustedHops: number, logger: Logger, clock: Clock) {
    this.#trustedHops = trustedHops;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** The warning, if a proxy was detected within the last hour. */
  get warnings(): string[] {
    return this.#isTold() ? [WARNING] : [];
  }

  /** Checks the headers of a request; warns at most once an hour. */
  look(headers: IncomingHttpHeaders): void {
    if (this.#trustedHops > 0) return;
    if (headers["x-forwarded-for"] === undefined && headers.forwarded === undefined) return;
    if (this.#isTold()) return;
    this.#toldAtMs = this.#clock.monotonicMs();
    this.#logger.warn({}, WARNING);
  }

  #isTold(): boolean {
    return this.#clock.monotonicMs() - this.#toldAtMs < HOUR_MS;
  }
}
