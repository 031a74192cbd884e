import { Failure } from "@nutrition/core/failure";

import { unreachable } from "./unreachable.ts";

export const ALGORITHM = "EdDSA";
/** `typ` of a service token. */
export const SERVICE_TOKEN_TYPE = "service-proof+jwt";
/** `typ` of a user assertion. */
export const USER_ASSERTION_TYPE = "user-assertion+jwt";
export const LIFETIME_S = 60;
/** Maximum length of a token in characters. */
export const TOKEN_LENGTH_MAX = 4_096;

/** Reason of the failure for a genuine token that is not valid at this time. */
export const TOKEN_EXPIRED = "TOKEN_EXPIRED";

/** The failure for an invalid token. */
export function invalidToken(why: string, cause?: unknown): Failure {
  const message = `The service token or user assertion was refused. ${why}`;
  return new Failure("unauthenticated", "INVALID_STATEMENT", message, { cause });
}

/**
 * The failure for a genuine token that has expired, or that was issued later than the callee's clock
 * shows. The call was not executed.
 */
export function tokenExpired(): Failure {
  const message =
    "A token of the calling service is not valid at this time: the clock of one of the two machines was changed, or is wrong. Try again in a moment.";
  return new Failure("unavailable", TOKEN_EXPIRED, message, { retryAfterMs: 1_000 });
}

/** Whether the callee refused the call, without executing it, because a token is not valid at this time. */
export function isTokenExpired(error: unknown): boolean {
  return error instanceof Failure && error.reason === TOKEN_EXPIRED;
}

/**
 * Throws the failure of a repeated call. A second refusal of the token is only unreachable: passed on as it is, it
 * would tell the caller's own caller that nothing was executed, who would then repeat a whole write.
 */
export function asUnreachable(error: unknown): never {
  throw isTokenExpired(error) ? unreachable(error as Failure) : error;
}
