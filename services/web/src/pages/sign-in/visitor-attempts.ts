import type { Clock } from "@nutrition/core/clock";
import { networkOf } from "@nutrition/core/network";
import type { Request } from "express";

import type { AttemptBound } from "../../domain/attempts.ts";
import { Attempts } from "../../domain/attempts.ts";
import type { ThrottleRate } from "../../domain/login-throttle.ts";
import { LoginThrottle } from "../../domain/login-throttle.ts";
import type { KnownDevices } from "./known-devices.ts";

const MINUTE_MS = 60_000;
const WINDOW_MS = 10 * MINUTE_MS;
const PER_ADDRESS = { max: 10, windowMs: WINDOW_MS };

/** Limits of attempts: overall at one e-mail address, and of one network. */
export interface AttemptLimits {
  /** Applies to all attempts at one e-mail address, except from browsers that have signed in with it. */
  readonly pace: ThrottleRate;
  readonly perNetwork: AttemptBound;
}

const SLOWEST = { pauseMaxMs: 15 * MINUTE_MS, forgetAfterMs: 24 * 60 * MINUTE_MS };
/** Allows about a hundred guesses a day at one address, over all networks. */
export const SIGN_IN_LIMITS: AttemptLimits = {
  pace: { ...SLOWEST, free: 10, firstPauseMs: 2_000 },
  perNetwork: { max: 60, windowMs: WINDOW_MS },
};

/**
 * Allows about a hundred mails a day to one address. An identity provider sends as few as 30 mails an hour for
 * everybody, so one network may ask for few.
 */
export const MAIL_LIMITS: AttemptLimits = {
  pace: { ...SLOWEST, free: 3, firstPauseMs: MINUTE_MS },
  perNetwork: { max: 5, windowMs: 60 * MINUTE_MS },
};

export interface VisitorAttemptsOptions {
  readonly clock: Clock;
  readonly devices: KnownDevices;
}

/**
 * Slows down guessing, in this process only. The identity provider enforces its own limits; these give people
 * an earlier and friendlier message.
 */
export class VisitorAttempts {
  readonly #clock: Clock;
  readonly #devices: KnownDevices;
  readonly #perAddress = new Attempts(PER_ADDRESS);
  readonly #perNetwork: Attempts;
  readonly #overall: LoginThrottle;

  constructor({ clock, devices }: VisitorAttemptsOptions, { pace, perNetwork }: AttemptLimits) {
    this.#clock = clock;
    this.#devices = devices;
    this.#perNetwork = new Attempts(perNetwork);
    this.#overall = new LoginThrottle(pace);
  }

  /** Counts an attempt and returns 0, or returns the milliseconds to wait. */
  async take(request: Request, email: string): Promise<number> {
    const isKnown = await this.#devices.has(request, email);
    const nowMs = this.#clock.monotonicMs();
    const network = visitorOf(request);
    const waitMs = Math.max(
      this.#perNetwork.waitMs(network, nowMs),
      isKnown ? 0 : this.#overall.waitMs(addressOf(email), nowMs),
    );
    if (waitMs > 0) return waitMs;
    this.#perNetwork.allow(network, nowMs);
    if (!this.#perAddress.allow(subjectOf(request, email), nowMs)) return WINDOW_MS;
    if (!isKnown) this.#overall.count(addressOf(email), nowMs);
    return 0;
  }

  /** Removes the attempt after a correct password. */
  async forget(request: Request, email: string): Promise<void> {
    this.#perAddress.forget(subjectOf(request, email));
    if (!(await this.#devices.has(request, email))) this.#overall.uncount(addressOf(email));
  }
}

/** Message for a person who has to wait. */
export function retryMessage(waitMs: number): string {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return `Too many attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}

function visitorOf(request: Request): string {
  return networkOf(request.ip ?? "");
}

function addressOf(email: string): string {
  return email.toLowerCase().slice(0, 320);
}

function subjectOf(request: Request, email: string): string {
  return `${visitorOf(request)} ${addressOf(email)}`;
}
