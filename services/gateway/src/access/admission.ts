import type { Clock } from "@nutrition/core/clock";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { CallScope, isCancellation } from "@nutrition/rpc/call-scope";
import { untilClosed } from "@nutrition/service/until-closed";
import type { Request, Response } from "express";

import { HttpRefusal } from "../http/refusal.ts";
import { stateOf } from "../http/request-state.ts";
import { OpenRequests } from "./in-flight.ts";
import type { Principal } from "../domain/principal.ts";
import { mayRead } from "../domain/principal.ts";
import type { AccountingServices } from "./admitted-request.ts";
import { AdmittedRequest } from "./admitted-request.ts";

/**
 * How long a slot stays taken after a disconnect. Otherwise a client that disconnects at once could
 * start hundreds of requests a second, each of which costs its start, its count and its end.
 */
const HANG_UP_REST_MS = 500;

/**
 * How long a request over the bound waits for its refusal, so that a client that ignores refusals
 * slows itself down, however many connections it uses.
 */
const TOO_MANY_PAUSE_MS = 250;

/**
 * Admission control, which every authenticated request passes first: who it is from, whether it is
 * known to be denied, and whether its caller has too many open requests.
 */
export class Admission {
  readonly #accounting: AccountingServices;
  readonly #clock: Clock;
  readonly #open = new OpenRequests();

  constructor(accounting: AccountingServices, clock: Clock) {
    this.#accounting = accounting;
    this.#clock = clock;
  }

  /**
   * Runs `answer` for the request. Its calls are cancelled when the client disconnects. The
   * caller's slot is held until the response is sent and the calls have really ended, and a moment
   * longer after a disconnect, so that disconnecting early gains nothing. Rejects with an
   * `HttpRefusal` or a `Failure`.
   */
  async admit(
    request: Request,
    response: Response,
    answer: (admitted: AdmittedRequest) => Promise<void>,
  ): Promise<void> {
    const calls = new CallScope();
    const closed = untilClosed(response).then(() => this.#end(response, calls));
    const caller = {
      headers: request.headers,
      ip: request.ip ?? "",
      get signal() {
        return calls.signal;
      },
    };
    let hasBegun = false;
    try {
      const principal = await this.#accounting.authenticator.authenticate(caller);
      stateOf(response).accountId = principal.user.accountId;
      this.#accounting.counter.assertRoom(principal, response);
      calls.assertNotCancelled();
      const leave = await this.#enter(principal.user);
      void closed.then(leave);
      hasBegun = true;
      await answer(new AdmittedRequest(this.#accounting, { caller, principal, response, calls }));
    } catch (error) {
      const isTold = !isCancellation(error, calls);
      // Of two calls for one response, the second is useless once the first has failed.
      if (hasBegun) calls.cancel();
      if (isTold) throw error;
    }
  }

  async #enter(user: UserIdentity): Promise<() => void> {
    try {
      return this.#open.enter(user);
    } catch (refusal) {
      await this.#clock.sleep(TOO_MANY_PAUSE_MS);
      throw refusal;
    }
  }

  /** Resolves when no work for the request remains. */
  async #end(response: Response, calls: CallScope): Promise<void> {
    const hasHungUp = !response.writableFinished;
    if (hasHungUp) calls.cancel();
    await calls.untilEnded();
    if (hasHungUp) await this.#clock.sleep(HANG_UP_REST_MS);
  }
}

/** Throws the refusal `insufficient_scope` unless the credential may read. */
export function assertMayRead(principal: Principal): void {
  if (mayRead(principal)) return;
  throw new HttpRefusal(
    "insufficient_scope",
    "This credential does not have the permission service.read. Use a key that has it.",
  );
}
