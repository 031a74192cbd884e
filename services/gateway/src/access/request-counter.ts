import type { ServerResponse } from "node:http";

import type { LimitsClient } from "../clients/limits-client.ts";
import type { Principal } from "./principal.ts";
import { countOf } from "../domain/wording.ts";
import type { CountRefusal } from "../domain/request-limit.ts";
import { limitInWords, rateLimitField, rateLimitPolicyField } from "../domain/request-limit.ts";
import { HttpRefusal } from "../http/refusal.ts";
import { stateOf } from "../http/request-state.ts";

/** Counts requests against the limit of their credential. */
export class RequestCounter {
  readonly #limits: LimitsClient;

  constructor(limits: LimitsClient) {
    this.#limits = limits;
  }

  /**
   * Counts `cost` requests and puts the state of the limit into the answer's headers. Rejects with
   * the refusal `rate_limit_exceeded` when there is no room, or with a `Failure`.
   */
  async count(principal: Principal, response: ServerResponse, cost = 1): Promise<void> {
    const { user } = principal;
    const decision = await this.#limits.count(user, stateOf(response).requestId, cost);
    if (decision.limits.length > 0) {
      response.setHeader("RateLimit-Policy", rateLimitPolicyField(decision.limits));
      response.setHeader("RateLimit", rateLimitField(decision.limits));
    }
    if (decision.refusal) throw refusalOf(decision.refusal, principal);
  }
}

function refusalOf(refusal: CountRefusal, { user }: Principal): HttpRefusal {
  const subject = user.credentialKind === "api_key" ? "API key" : "connection";
  const { deciding, retryAfterSeconds } = refusal;
  return new HttpRefusal(
    "rate_limit_exceeded",
    `This ${subject} has used its limit of ${limitInWords(deciding)} (${deciding.name}). Try again in ${countOf(retryAfterSeconds, "second")}.`,
    { headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}
