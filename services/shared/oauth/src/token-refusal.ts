/** Why a token opens nothing, whoever asks. */
export type TokenFault = "expired" | "not_yet_valid" | "invalid";

/** A token that was looked at and refused. Nothing of it is in the error, so that it may be logged. */
export class TokenRefusal extends Error {
  override readonly name = "TokenRefusal";
  readonly fault: TokenFault;

  constructor(fault: TokenFault) {
    super(`The token was refused: ${fault}.`);
    this.fault = fault;
  }
}
