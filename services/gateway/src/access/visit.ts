import type { ServerResponse } from "node:http";

import type { OpenCalls } from "@nutrition/rpc/open-calls";

import { isOurFault } from "../http/refusal.ts";
import type { Authenticator, Caller } from "./authenticator.ts";
import type { Principal } from "../domain/principal.ts";
import type { Refunds } from "./refunds.ts";
import type { RequestCounter } from "./request-counter.ts";

/** Shared services that authenticate and count requests. */
export interface Desk {
  readonly authenticator: Authenticator;
  readonly counter: RequestCounter;
  readonly refunds: Refunds;
}

export interface Arrival {
  readonly caller: Caller;
  readonly principal: Principal;
  readonly response: ServerResponse;
  readonly calls: OpenCalls;
}

/** An admitted request, with its principal and its accounting. */
export class Visit {
  readonly #desk: Desk;
  readonly #arrival: Arrival;
  #principal: Principal;
  #receipt: string | undefined;

  constructor(desk: Desk, arrival: Arrival) {
    this.#desk = desk;
    this.#arrival = arrival;
    this.#principal = arrival.principal;
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** Calls to other services made for the request. */
  get calls(): OpenCalls {
    return this.#arrival.calls;
  }

  /** Authenticates again, as writes need the current permissions. */
  async authenticateNow(): Promise<void> {
    const { authenticator } = this.#desk;
    this.#principal = await authenticator.authenticateNow(this.#arrival.caller);
  }

  /**
   * Counts `cost` requests. Rejects with the refusal `rate_limit_exceeded`, with a `Failure`, or
   * with the failure `cancelled` when the client has disconnected.
   */
  async count(cost: number): Promise<void> {
    const { response, calls } = this.#arrival;
    this.#receipt = await this.#desk.counter.count(this.#principal, response, cost);
    calls.assertWanted();
  }

  /**
   * Counts one request concurrently with `read`, and cancels its calls when the request is refused.
   */
  async countWhile<Result>(read: () => Promise<Result>): Promise<Result> {
    const reading = read();
    // A refusal takes precedence over the outcome of the read.
    reading.catch(() => {});
    try {
      await this.count(1);
    } catch (error) {
      this.calls.giveUp();
      throw error;
    }
    return reading.catch((error: unknown) => {
      if (isOurFault(error)) this.giveCountBack();
      throw error;
    });
  }

  /** Refunds a read that failed through our fault, unless the client has disconnected. */
  giveCountBack(): void {
    if (this.#receipt !== undefined && !this.calls.isGivenUp) {
      this.#desk.refunds.add(this.#receipt);
    }
    this.#receipt = undefined;
  }
}
