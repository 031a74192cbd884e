import { Failure } from "@nutrition/core/failure";
import { InFlight } from "@nutrition/core/in-flight";
import { isCancellation } from "@nutrition/rpc/call-scope";
import type { Response } from "express";

import type { Person } from "../clients/person.ts";
import { visitOf } from "./visit.ts";

/** Maximum number of concurrent requests per account on this instance; people open a few tabs at a time. */
export const OPEN_PER_ACCOUNT_MAX = 16;

export interface SignedInVisit {
  readonly response: Response;
  readonly person: Person;
}

export interface AdmissionOptions {
  /** Whether calls are cancelled when the visitor disconnects. Changes are completed instead. */
  readonly isReading: boolean;
}

/** Limits concurrent requests per signed-in account. */
export class Admission {
  readonly #open = new InFlight(OPEN_PER_ACCOUNT_MAX);

  /**
   * Runs `answer` in a slot of the account. The slot is held until the response is finished and the
   * services have stopped working on it, so disconnecting early frees nothing. Rejects with
   * `resource_exhausted` when no slot is free.
   */
  async admit(
    visit: SignedInVisit,
    answer: () => Promise<void>,
    { isReading }: AdmissionOptions,
  ): Promise<void> {
    const { response, person } = visit;
    visitOf(response).person = person;
    const leave = takeSlot(this.#open, person, tooManyPages);
    const { closed } = visitOf(response);
    if (isReading) void closed.then(() => person.calls.cancel());
    try {
      await answer();
    } catch (error) {
      if (!isCancellation(error, person.calls)) throw error;
    } finally {
      // If one of two calls for a response has failed, the other is useless.
      person.calls.cancel();
      void closed.then(() => person.calls.untilEnded()).then(leave);
    }
  }
}

/**
 * Takes a slot of the account for an admitted, read-only visit, until the visit is over and no service works
 * on it any longer. Throws `refusal` if no slot is free.
 */
export function holdSlot(
  open: InFlight,
  { response, person }: SignedInVisit,
  refusal: () => Failure,
): void {
  const leave = takeSlot(open, person, refusal);
  void visitOf(response)
    .closed.then(() => person.calls.untilEnded())
    .then(leave);
}

function takeSlot(open: InFlight, { user }: Person, refusal: () => Failure): () => void {
  const leave = open.enter(user.accountId);
  if (!leave) throw refusal();
  return leave;
}

function tooManyPages(): Failure {
  const message =
    "You are loading too many pages at the same time. Wait until they have loaded, then try again.";
  return new Failure("resource_exhausted", "TOO_MANY_AT_ONCE", message, { retryAfterMs: 1_000 });
}
