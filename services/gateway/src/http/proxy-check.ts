import type { IncomingHttpHeaders } from "node:http";

import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

const HOUR_MS = 3_600_000;

const WARNING =
  "Requests carry X-Forwarded-For or Forwarded, but TRUST_PROXY_HOPS is 0 or not set. Behind a proxy, all clients then look like one and share the limits of one network: set TRUST_PROXY_HOPS to the number of proxies in front. Without a proxy, clients send the header themselves, and you can ignore this.";

/** Detects a proxy missing from the configuration. */
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
  inspect(headers: IncomingHttpHeaders): void {
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
