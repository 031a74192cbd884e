import type { Clock } from "@nutrition/core/clock";
import { networkOf } from "@nutrition/core/network";
import type { Request } from "express";

import { Attempts } from "../../domain/attempts.ts";

const MINUTES = 10;
const WINDOW_MS = MINUTES * 60_000;
const PER_ADDRESS = { max: 10, windowMs: WINDOW_MS };
const PER_NETWORK = { max: 60, windowMs: WINDOW_MS };

/**
 * Slows down guessing, in this process only: the identity provider has bounds of its own, which
 * count. A person is told here sooner and more kindly.
 */
export class VisitorAttempts {
  readonly #clock: Clock;
  readonly #perAddress = new Attempts(PER_ADDRESS);
  readonly #perNetwork = new Attempts(PER_NETWORK);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one. False when there have been too many. */
  allow(request: Request, email: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    return (
      this.#perNetwork.allow(visitorOf(request), nowMs) &&
      this.#perAddress.allow(subjectOf(request, email), nowMs)
    );
  }

  /** After the right password. */
  forget(request: Request, email: string): void {
    this.#perAddress.forget(subjectOf(request, email));
  }
}

/** What a person is told who has tried too often. */
export function retryMessage(): string {
  return `There were too many attempts. Try again in ${MINUTES} minutes.`;
}

function visitorOf(request: Request): string {
  return networkOf(request.ip ?? "");
}

function subjectOf(request: Request, email: string): string {
  return `${visitorOf(request)} ${email.toLowerCase().slice(0, 320)}`;
}
