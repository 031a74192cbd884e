/** An error in the format of all endpoints except the OAuth token endpoint. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** Error code, such as `validation_failed`. */
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

/** An error in the format of OAuth (RFC 6749 §5.2); always 400. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

/** A fault that a test injected. */
export function injectedFault(): ApiError {
  return new ApiError(500, "unexpected_failure", "Unexpected failure, injected by a test");
}
