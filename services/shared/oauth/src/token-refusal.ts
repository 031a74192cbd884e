import { StacklessError } from "@nutrition/core/stackless-error";

/** Why a token is refused, whoever presents it. */
export type TokenFault = "expired" | "not_yet_valid" | "invalid";

/** A refused token. The error contains nothing of the token, so that it may be logged. */
export class TokenRefusal extends StacklessError {
  override readonly name = "TokenRefusal";
  readonly fault: TokenFault;
  /**
   * Whether the refusal is permanent. It is not for a token that is not valid yet or of a new key.
   */
  readonly isFinal: boolean;

  constructor(fault: TokenFault, { isFinal = fault !== "not_yet_valid" } = {}) {
    super(`The token was refused: ${fault}.`);
    this.fault = fault;
    this.isFinal = isFinal;
  }
}
