import type { ServiceError } from "@grpc/grpc-js";
import { Failure } from "@nutrition/core/failure";

import { STATUS_METADATA } from "./metadata.ts";
import { decodeFailure } from "./status.ts";

const MESSAGE = "Part of the service cannot be reached; try again in a moment.";

/** The failure of a call that may or may not have been executed. */
export function unreachable(cause?: unknown): Failure {
  const options = { cause, retryAfterMs: 1_000 };
  return new Failure("unavailable", "SERVICE_UNREACHABLE", MESSAGE, options);
}

/** The failure that the callee answered with, if the error contains one. */
export function answeredFailure(error: Partial<ServiceError>): Failure | undefined {
  const [details] = error.metadata?.get(STATUS_METADATA) ?? [];
  return Buffer.isBuffer(details) ? decodeFailure(details) : undefined;
}
