import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

/** Logged facts about one request. */
export interface RequestFacts {
  readonly route: string;
  readonly status: number;
  /** Code of the error in the response. */
  readonly reason?: string | undefined;
  /** Undefined for an unauthenticated request. */
  readonly account_id?: string | undefined;
  readonly [fact: string]: unknown;
}

const MINUTE_MS = 60_000;
/**
 * Maximum number of refused requests logged individually per minute: for each account, and for all
 * unauthenticated clients together.
 */
export const FULL_REFUSALS_MAX = 60;
const REFUSED_STATUS_MIN = 400;
const FAILED_STATUS_MIN = 500;
const UNAUTHENTICATED = "";

/**
 * Logs one line per request. In each minute, logs only the first refused requests individually and counts the
 * others by route and status in one line, so that nobody can fill the log.
 */
export class RequestLog implements Disposable {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #minuteStartedAtMs: number;
  /** Refused requests of the current minute, by account. */
  readonly #refusals = new Map<string, number>();

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
    this.#minuteStartedAtMs = clock.monotonicMs();
  }

  /** `error` is the error on our side. */
  write(facts: RequestFacts, error?: unknown): void {
    if (this.#clock.monotonicMs() - this.#minuteStartedAtMs >= MINUTE_MS) this.#beginMinute();
    if (error !== undefined) this.#logger.error({ ...facts, err: error }, "request");
    else if (this.#hasLine(facts)) this.#logger.info(facts, "request");
    else addOne(this.#counts, `${facts.route} ${facts.status}`);
  }

  /** Logs the counted requests. */
  [Symbol.dispose](): void {
    this.#beginMinute();
  }

  #hasLine({ status, account_id: accountId }: RequestFacts): boolean {
    if (status < REFUSED_STATUS_MIN) return true;
    if (status >= FAILED_STATUS_MIN && accountId !== undefined) return true;
    return addOne(this.#refusals, accountId ?? UNAUTHENTICATED) <= FULL_REFUSALS_MAX;
  }

  #beginMinute(): void {
    if (this.#counts.size > 0) {
      this.#logger.info({ refused: Object.fromEntries(this.#counts) }, "more refused requests");
    }
    this.#counts.clear();
    this.#refusals.clear();
    this.#minuteStartedAtMs = this.#clock.monotonicMs();
  }
}

/** Adds one to the count of `name`; returns the new count. */
function addOne(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}
