import type { Logger } from "@nutrition/core/logger";

import type { LimitsClient } from "../clients/limits-client.ts";

/** Maximum number of receipts that the limits service accepts per call. */
const RECEIPTS_PER_CALL_MAX = 256;
/** Maximum number of waiting receipts while the limits service is down. */
const WAITING_MAX = 4_096;

/**
 * Refunds requests that failed because of an error on our side. Best effort: receipts that cannot be
 * delivered at once are dropped. Receipts that arrive during a call are sent with the next one.
 */
export class Refunds {
  readonly #limits: Pick<LimitsClient, "refund">;
  readonly #logger: Logger;
  #waiting: string[] = [];
  #isSending = false;

  constructor(limits: Pick<LimitsClient, "refund">, logger: Logger) {
    this.#limits = limits;
    this.#logger = logger;
  }

  add(receipt: string): void {
    if (this.#waiting.length >= WAITING_MAX) return;
    this.#waiting.push(receipt);
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const receipts = this.#waiting.splice(0, RECEIPTS_PER_CALL_MAX);
      try {
        await this.#limits.refund(receipts);
      } catch (error) {
        this.#logger.warn(
          { err: error, requests: receipts.length },
          "failed to refund counted requests",
        );
      }
    }
    this.#isSending = false;
  }
}
