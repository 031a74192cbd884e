import { FAILURE_KINDS, Failure } from "@nutrition/core/failure";
import { markup } from "@nutrition/core/markup";
import type { ErrorRequestHandler } from "express";

import { sendPage } from "./page.ts";
import { visitOf } from "./visit.ts";

/** Retry delay for visitors when the failure does not state one. */
const RETRY_AFTER_MS = 2_000;

/** Last middleware: responds with a page that says what happened and what to do. */
export const answerError: ErrorRequestHandler = (error, _request, response, next) => {
  const { status, title, message, isOurs } = describe(error);
  const { retryAfterMs = RETRY_AFTER_MS } = error instanceof Failure ? error : {};
  const visit = visitOf(response);
  visit.reason = error instanceof Failure ? error.reason : String(status);
  if (isOurs) visit.error = error;
  if (response.headersSent) return next(error);
  if (status === 503 || status === 429) {
    response.setHeader("Retry-After", String(Math.ceil(retryAfterMs / 1_000)));
  }
  const { requestId, person } = visit;
  const reference = isOurs ? markup`<p class="soft">Reference: <code>${requestId}</code></p>` : "";
  sendPage(response, person, {
    title,
    status,
    body: markup`<section class="card narrow">
      <h1>${title}</h1>
      <p>${message}</p>
      ${reference}
      <p><a href="/journal">Go to the journal</a></p>
    </section>`,
  });
};

interface Description {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Whether the error is on our side. */
  readonly isOurs: boolean;
}

function describe(error: unknown): Description {
  if (error instanceof Failure) return describeFailure(error);
  const status = (error as { status?: unknown } | undefined)?.status;
  if (typeof status === "number" && status >= 400 && status < 500) {
    const message = "The request could not be read. Go back and try again.";
    return { status, title: "That did not work", message, isOurs: false };
  }
  const message = "Something went wrong on our side. Try again later.";
  return { status: 500, title: "Something went wrong", message, isOurs: true };
}

function describeFailure(failure: Failure): Description {
  const status = FAILURE_KINDS[failure.kind].http;
  if (failure.kind === "internal" || failure.kind === "unimplemented") {
    const message = "Something went wrong on our side. Try again later.";
    return { status, title: "Something went wrong", message, isOurs: true };
  }
  if (status === 503) {
    const message = "Part of the service is temporarily unavailable. Try again in a few seconds.";
    return { status, title: "Temporarily unavailable", message, isOurs: true };
  }
  const title = failure.kind === "not_found" ? "Not found" : "That did not work";
  return { status, title, message: failure.message, isOurs: false };
}
