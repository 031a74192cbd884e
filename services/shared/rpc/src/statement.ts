import { Failure } from "@nutrition/core/failure";

export const ALGORITHM = "EdDSA";
/** `typ` of a service's proof that it calls. */
export const PROOF_TYPE = "service-proof+jwt";
/** `typ` of an assertion of a user. */
export const USER_ASSERTION_TYPE = "user-assertion+jwt";
export const LIFETIME_S = 60;
export const CLOCK_TOLERANCE_S = 5;
/** Characters of the longest statement that is looked at. */
export const STATEMENT_LENGTH_MAX = 4_096;

/** The failure of a statement that is not believed. */
export function notBelieved(why: string, cause?: unknown): Failure {
  const message = `The identity statement was refused. ${why}`;
  return new Failure("unauthenticated", "INVALID_STATEMENT", message, { cause });
}
