import type { ServerResponse } from "node:http";

import type { CallScope } from "@nutrition/rpc/call-scope";

import { isOurFault } from "../http/refusal.ts";
import type { Authenticated, Authenticator, Caller } from "./authenticator.ts";
import type { Principal } from "../domain/principal.ts";
import { hasWritePermission } from "../domain/principal.ts";
import type { Refunds } from "./refunds.ts";
import type { RequestCounter } from "./request-counter.ts";

/** Shared services that authenticate and count requests. */
export interface AccountingServices {
  readonly authenticator: Authenticator;
  readonly counter: RequestCounter;
  readonly refunds: Refunds;
}

export interface AuthenticatedRequest {
  readonly caller: Caller;
  readonly authenticated: Authenticated;
  readonly response: ServerResponse;
  readonly calls: CallScope;
}

/** An admitted request, with its principal and its accounting. */
export class AdmittedRequest {
  readonly #accounting: AccountingServices;
  readonly #request: AuthenticatedRequest;
  #principal: Principal;
  #receipt: string | undefined;

  constructor(accounting: AccountingServices, request: AuthenticatedRequest) {
    this.#accounting = accounting;
    this.#request = request;
    this.#principal = request.authenticated.principal;
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** Calls to other services made for the request. */
  get calls(): CallScope {
    return this.#request.calls;
  }

  /** Authenticates again unless that has just happened, because writes need the current permissions. */
  async authenticateNow(): Promise<void> {
    const { caller, authenticated } = this.#request;
    const { authenticator } = this.#accounting;
    this.#principal = await authenticator.authenticateNow(caller, authenticated);
  }

  /** Finds out whether the account is premium, unless that is known or makes no difference. */
  async learnEntitlements(): Promise<void> {
    const { hasPremiumAccess } = this.#principal;
    if (hasPremiumAccess !== undefined || !hasWritePermission(this.#principal)) return;
    const { authenticator } = this.#accounting;
    ({ principal: this.#principal } = await authenticator.authenticateInFull(this.#request.caller));
  }

  /**
   * Counts `cost` requests. Rejects with the refusal `rate_limit_exceeded`, with a `Failure`, or with the
   * failure `cancelled` if the client has disconnected.
   */
  async count(cost: number): Promise<void> {
    const { response, calls } = this.#request;
    this.#receipt = await this.#accounting.counter.count(this.#principal, response, cost);
    calls.assertNotCancelled();
  }

  /**
   * Counts one request concurrently with `read`, and cancels the calls of `read` if the request is refused.
   * Counting takes longer, so its call is sent first; see docs/decisions/0044.
   */
  async countWhile<Result>(read: () => Promise<Result>): Promise<Result> {
    const counting = this.count(1);
    const reading = read();
    // A refusal takes precedence over the outcome of the read.
    reading.catch(() => {});
    try {
      await counting;
    } catch (error) {
      this.calls.cancel();
      throw error;
    }
    return reading.catch((error: unknown) => {
      if (isOurFault(error)) this.refundCount();
      throw error;
    });
  }

  /** Refunds a read that failed because of an error on our side, unless the client has disconnected. */
  refundCount(): void {
    if (this.#receipt !== undefined && !this.calls.isCancelled) {
      this.#accounting.refunds.add(this.#receipt);
    }
    this.#receipt = undefined;
  }
}
