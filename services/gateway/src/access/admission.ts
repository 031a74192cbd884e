import type { Clock } from "@nutrition/core/clock";
import { networkOf } from "@nutrition/core/network";
import { CallScope, isCancellation } from "@nutrition/rpc/call-scope";
import { untilClosed } from "@nutrition/service/until-closed";
import type { Request, Response } from "express";

import { HttpRefusal } from "../http/refusal.ts";
import { stateOf } from "../http/request-state.ts";
import { OpenRequests, credentialName } from "./in-flight.ts";
import type { Principal } from "../domain/principal.ts";
import { mayRead } from "../domain/principal.ts";
import type { AccountingServices } from "./admitted-request.ts";
import { AdmittedRequest } from "./admitted-request.ts";
import { Pace } from "../http/pace.ts";
import { WindowCounter } from "../http/window-counter.ts";

/**
 * How long a slot stays taken after a disconnect. Without it, a client that disconnects at once could start
 * hundreds of requests a second, and each costs work to start, count and cancel.
 */
export const HANG_UP_REST_MS = 500;
/** The same for a credential that disconnects more often than failures explain. */
export const REPEATED_HANG_UP_REST_MS = 5_000;
export const HANG_UPS_WINDOW_MS = 10_000;
export const HANG_UPS_MAX = 16;
/** Refusals of an account, and of a network's invalid credentials; clients that heed a refusal never wait. */
export const REFUSAL_PACE = { freePerSecond: 16, pauseMs: 500, perPause: 64 };

/** How an admitted request is answered. */
export interface RequestSteps<Content> {
  /** Reads what the client sends. Runs before a slot is taken: only the client decides how long that takes. */
  readonly receive: () => Promise<Content>;
  readonly answer: (admitted: AdmittedRequest, content: Content) => Promise<void>;
}

/**
 * Admission control of authenticated requests: identifies the caller, refuses known denials, and limits
 * concurrent requests.
 */
export class Admission {
  readonly #accounting: AccountingServices;
  readonly #clock: Clock;
  readonly #open = new OpenRequests();
  readonly #pace: Pace;
  readonly #hangUps: WindowCounter;

  constructor(accounting: AccountingServices, clock: Clock) {
    this.#accounting = accounting;
    this.#clock = clock;
    this.#pace = new Pace(REFUSAL_PACE, clock);
    this.#hangUps = new WindowCounter(HANG_UPS_WINDOW_MS, clock);
  }

  /**
   * Runs the steps of the request, and cancels its calls when the client disconnects. Holds the caller's slot
   * from `answer` until the response is sent and the calls have ended, and a moment longer after a disconnect, so
   * that disconnecting early gains nothing. Rejects with a `Failure` or an `HttpRefusal`; repeated refusals of a
   * client are delayed.
   */
  async admit<Content>(
    request: Request,
    response: Response,
    { receive, answer }: RequestSteps<Content>,
  ): Promise<void> {
    const calls = new CallScope();
    const closed = untilClosed(response).then(() => cancelUnlessAnswered(response, calls));
    const caller = { headers: request.headers, ip: request.ip ?? "", calls };
    let hasBegun = false;
    try {
      const authenticated = await this.#accounting.authenticator.authenticate(caller);
      const { principal } = authenticated;
      stateOf(response).accountId = principal.user.accountId;
      this.#accounting.counter.assertRoom(principal, response);
      const content = await receive();
      calls.assertNotCancelled();
      const leave = this.#open.enter(principal.user);
      void closed.then((isAnswered) => this.#untilFree(principal, calls, isAnswered)).then(leave);
      hasBegun = true;
      await answer(
        new AdmittedRequest(this.#accounting, { caller, authenticated, response, calls }),
        content,
      );
    } catch (error) {
      const isTold = !isCancellation(error, calls);
      // If one of two calls for a response has failed, the other is useless.
      if (hasBegun) calls.cancel();
      if (!isTold) return;
      if (isPaced(error)) {
        const name = stateOf(response).accountId ?? networkOf(caller.ip);
        this.#pace.add(name);
        await this.#pace.turn(name, closed);
        if (response.destroyed) return;
      }
      throw error;
    }
  }

  /** Resolves when no work for the request remains, and a moment later if the client disconnected. */
  async #untilFree({ user }: Principal, calls: CallScope, isAnswered: boolean): Promise<void> {
    await calls.untilEnded();
    if (isAnswered) return;
    const { count } = this.#hangUps.add(credentialName(user));
    await this.#clock.sleep(count > HANG_UPS_MAX ? REPEATED_HANG_UP_REST_MS : HANG_UP_REST_MS);
  }
}

/** Returns whether the whole response was sent. */
function cancelUnlessAnswered(response: Response, calls: CallScope): boolean {
  const isAnswered = response.writableFinished;
  if (!isAnswered) calls.cancel();
  return isAnswered;
}

/** A client without a credential gets its challenge without delay. */
function isPaced(error: unknown): boolean {
  return error instanceof HttpRefusal && error.code !== "missing_credentials";
}

/** Throws the refusal `insufficient_scope` unless the credential may read. */
export function assertMayRead(principal: Principal): void {
  if (mayRead(principal)) return;
  throw new HttpRefusal(
    "insufficient_scope",
    "This credential does not have the permission service.read. Use a key that has it.",
  );
}
