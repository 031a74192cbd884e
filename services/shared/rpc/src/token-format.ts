import { Failure } from "@nutrition/core/failure";

export const ALGORITHM = "EdDSA";
/** `typ` of a service token. */
export const SERVICE_TOKEN_TYPE = "service-proof+jwt";
/** `typ` of a user assertion. */
export const USER_ASSERTION_TYPE = "user-assertion+jwt";
export const LIFETIME_S = 60;
export const CLOCK_TOLERANCE_S = 5;
/** Maximum length of a token in characters. */
export const TOKEN_LENGTH_MAX = 4_096;

/** The failure for an invalid token. */
export function invalidToken(why: string, cause?: unknown): Failure {
  const message = `The service token or user assertion was refused. ${why}`;
  return new Failure("unauthenticated", "INVALID_STATEMENT", message, { cause });
}
