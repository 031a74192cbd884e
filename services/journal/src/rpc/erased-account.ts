import { Failure } from "@nutrition/core/failure";
import { violatedConstraint } from "@nutrition/postgres/database";

/** Name that the database gives its refusal to write for an erased account. */
const NOT_ERASED = "account_not_erased";

/** Runs a write; one for an account that has been erased is `not_found`. */
export async function refusingErased<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) !== NOT_ERASED) throw error;
    const message = "There is no such account any more; it was erased.";
    throw new Failure("not_found", "ACCOUNT_ERASED", message, { cause: error });
  }
}
