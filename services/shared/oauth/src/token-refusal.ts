import { StacklessError } from "@nutrition/core/stackless-error";

/** Why a token opens nothing, whoever asks. */
export type TokenFault = "expired" | "not_yet_valid" | "invalid";

/** A token that was looked at and refused. Nothing of it is in the error, so that it may be logged. */
export class TokenRefusal extends StacklessError {
  override readonly name = "TokenRefusal";
  readonly fault: TokenFault;
  /** Whether the same token is refused for good. A token of tomorrow or of a new key is not. */
  readonly isFinal: boolean;

  constructor(fault: TokenFault, { isFinal = fault !== "not_yet_valid" } = {}) {
    super(`The token was refused: ${fault}.`);
    this.fault = fault;
    this.isFinal = isFinal;
  }
}
