import type { ErrorRequestHandler } from "express";

import { ApiError, OAuthError } from "../errors.ts";
import { outcomeOf } from "./log-requests.ts";

/** From this version on, an error's code is text and its message is called `message`. */
const CODES_AS_TEXT = "2024-01-01";

/** Responds to any error, in the format of the API version that the caller requested. */
export const answerErrors: ErrorRequestHandler = (thrown, request, response, next) => {
  if (response.headersSent) return next(thrown);
  const log = outcomeOf(response);
  if (thrown instanceof OAuthError) {
    log.reason = thrown.error;
    response.status(400).json({ error: thrown.error, error_description: thrown.message });
    return;
  }
  const error = toApiError(thrown);
  log.reason = error.code;
  if (error.status === 500) log.error = thrown;
  const requestedVersion = request.header("x-supabase-api-version") ?? "";
  const isVersioned =
    /^\d{4}-\d\d-\d\d$/.test(requestedVersion) && requestedVersion >= CODES_AS_TEXT;
  if (isVersioned) response.setHeader("X-Supabase-Api-Version", CODES_AS_TEXT);
  // Upstream forgets the header in this one answer.
  const isNamed = !(isVersioned && error.code === "weak_password");
  if (isNamed) response.setHeader("x-sb-error-code", error.code);
  const { status, code, message, extra } = error;
  response
    .status(status)
    .json(
      isVersioned
        ? { code, message, ...extra }
        : { code: status, error_code: code, msg: message, ...extra },
    );
};

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Errors of Express, such as a body that is too large, carry their status.
  const status = thrown instanceof Error && "status" in thrown ? thrown.status : undefined;
  if (status === 413) return new ApiError(413, "request_too_large", "The body is too large");
  if (typeof status === "number" && status < 500) {
    return new ApiError(400, "bad_json", "Could not parse the request");
  }
  return new ApiError(500, "unexpected_failure", "Unexpected failure, please check server logs");
}
