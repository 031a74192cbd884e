/** How each kind of failure appears in gRPC and HTTP: the status codes. */
export const FAILURE_KINDS = {
  invalid_argument: { grpc: 3, http: 400 },
  unauthenticated: { grpc: 16, http: 401 },
  permission_denied: { grpc: 7, http: 403 },
  not_found: { grpc: 5, http: 404 },
  already_exists: { grpc: 6, http: 409 },
  failed_precondition: { grpc: 9, http: 409 },
  resource_exhausted: { grpc: 8, http: 429 },
  deadline_exceeded: { grpc: 4, http: 503 },
  cancelled: { grpc: 1, http: 503 },
  unavailable: { grpc: 14, http: 503 },
  unimplemented: { grpc: 12, http: 500 },
  internal: { grpc: 13, http: 500 },
} as const;

export type FailureKind = keyof typeof FAILURE_KINDS;

export interface FailureOptions {
  /** The cause; logged only. */
  cause?: unknown;
  /** Facts that a caller can act on; sent along. */
  metadata?: Readonly<Record<string, string>>;
  /** Time after which the same call may succeed, in milliseconds. */
  retryAfterMs?: number;
}

/**
 * An expected failure. Any other thrown error is a bug: it is logged with its cause and shown as
 * `internal`.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  /** Stable code, such as `ACCOUNT_NOT_FOUND`. */
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | undefined;

  /** `message` says what to do next and is safe to show to anyone. */
  constructor(kind: FailureKind, reason: string, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.reason = reason;
    this.metadata = options.metadata ?? {};
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Returns the failure, or the `internal` failure for any other error. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("internal", "INTERNAL", "Something went wrong on our side.", { cause: error });
}
