import { isIP } from "node:net";

import type { RequestHandler } from "express";

import { TokenBuckets } from "../domain/token-bucket.ts";
import { ApiError } from "../errors.ts";
import type { Provider } from "../provider.ts";

const BURST = 30;
const FIVE_MINUTES_SECONDS = 300;
/** Upstream's limit of requests in five minutes after the burst. */
const RATES = { token: 150, verify: 30, recover: 30, signup: 30, resend: 30, user: 30 };

export type LimitedEndpoint = keyof typeof RATES;

/**
 * Limits an endpoint by the first address in `Sb-Forwarded-For`, if the settings trust that header.
 * Calls without it are not limited, as at a hosted provider without the header.
 */
export function limitByAddress(
  { security, clock }: Provider,
  endpoint: LimitedEndpoint,
): RequestHandler {
  const refillPerSecond = RATES[endpoint] / FIVE_MINUTES_SECONDS;
  const buckets = new TokenBuckets({ burst: BURST, refillPerSecond });
  return (request, _response, next) => {
    const [address = ""] = (request.header("sb-forwarded-for") ?? "").split(",");
    const isBounded = security.trustForwardedFor && isIP(address.trim()) !== 0;
    if (!isBounded || buckets.take(address.trim(), clock.monotonicMs())) return next();
    throw new ApiError(429, "over_request_rate_limit", "Request rate limit reached");
  };
}
