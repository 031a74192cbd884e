import { Failure } from "@nutrition/core/failure";
import { violatedConstraint } from "@nutrition/postgres/database";

/** Constraint that rejects writes for an erased account. */
const NOT_ERASED = "account_not_erased";

/** Runs a write; a write for an erased account fails with `not_found`. */
export async function refusingErased<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) !== NOT_ERASED) throw error;
    const message = "This account was erased.";
    throw new Failure("not_found", "ACCOUNT_ERASED", message, { cause: error });
  }
}
