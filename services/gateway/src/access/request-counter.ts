import type { ServerResponse } from "node:http";

import type { Clock } from "@nutrition/core/clock";
import { countOf } from "@nutrition/core/count-of";

import type { LimitsClient } from "../clients/limits-client.ts";
import type { CountDecision, CountRefusal } from "../domain/request-limit.ts";
import { limitInWords, rateLimitField, rateLimitPolicyField } from "../domain/request-limit.ts";
import { HttpRefusal } from "../http/refusal.ts";
import { stateOf } from "../http/request-state.ts";
import { credentialInWords, credentialName } from "./in-flight.ts";
import { DenialCache } from "./denial-cache.ts";
import type { Principal } from "../domain/principal.ts";

/**
 * Counts requests against the limit of their credential, and reports the limit's state in the
 * response headers.
 */
export class RequestCounter {
  readonly #limits: Pick<LimitsClient, "count">;
  readonly #knownRefusals: DenialCache;

  constructor(limits: Pick<LimitsClient, "count">, clock: Clock) {
    this.#limits = limits;
    this.#knownRefusals = new DenialCache(clock);
  }

  /** Throws the refusal `rate_limit_exceeded` if the credential is known to be over its limit. */
  assertRoom(principal: Principal, response: ServerResponse): void {
    const known = this.#knownRefusals.find(credentialName(principal.user));
    if (!known) return;
    setLimitHeaders(known, response);
    throw refusalOf(known.refusal, principal);
  }

  /**
   * Counts `cost` requests and returns a receipt for a refund. Rejects with the refusal `rate_limit_exceeded`
   * if they exceed the limit, or with a `Failure`.
   */
  async count(principal: Principal, response: ServerResponse, cost: number): Promise<string> {
    const { user } = principal;
    const decision = await this.#limits.count(user, stateOf(response).requestId, cost);
    setLimitHeaders(decision, response);
    const { refusal } = decision;
    if (!refusal) return decision.receipt;
    // A refused batch does not mean that a single request would be refused.
    if (cost === 1) this.#knownRefusals.remember(credentialName(user), { ...decision, refusal });
    throw refusalOf(refusal, principal);
  }
}

function setLimitHeaders(
  { limits }: Pick<CountDecision, "limits">,
  response: ServerResponse,
): void {
  if (limits.length === 0) return;
  response.setHeader("RateLimit-Policy", rateLimitPolicyField(limits));
  response.setHeader("RateLimit", rateLimitField(limits));
}

function refusalOf(refusal: CountRefusal, { user }: Principal): HttpRefusal {
  const { deciding, retryAfterSeconds } = refusal;
  const subject = deciding.isOfAccount ? "account" : credentialInWords(user);
  return new HttpRefusal(
    "rate_limit_exceeded",
    `This ${subject} has used its limit of ${limitInWords(deciding)} (${deciding.name}). Try again in ${countOf(retryAfterSeconds, "second")}.`,
    { headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}
