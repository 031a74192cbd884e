import type { ServiceError } from "@grpc/grpc-js";
import { Failure } from "@nutrition/core/failure";

import { STATUS_METADATA } from "./metadata.ts";
import { decodeFailure } from "./status.ts";

const MESSAGE = "A part of the service cannot be reached; try again in a moment.";

/** The failure of a call that may or may not have been carried out. */
export function unreachable(cause?: unknown): Failure {
  const options = { cause, retryAfterMs: 1_000 };
  return new Failure("unavailable", "SERVICE_UNREACHABLE", MESSAGE, options);
}

/** What the callee answered instead of a reply, if the error carries it. */
export function answeredFailure(error: Partial<ServiceError>): Failure | undefined {
  const [details] = error.metadata?.get(STATUS_METADATA) ?? [];
  return Buffer.isBuffer(details) ? decodeFailure(details) : undefined;
}
