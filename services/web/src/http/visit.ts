import type { Markup } from "@nutrition/core/markup";
import type { Response } from "express";

import type { Person } from "../clients/person.ts";

/** State of the visit that a response belongs to. */
export interface Visit {
  /** UUID; the gateway's, when the visit came through it. */
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Resolves when the whole response has been handed over, or the visitor has disconnected. */
  readonly closed: Promise<void>;
  /** Allows the page's own scripts, and no others. */
  readonly nonce: string;
  /** Whose formats the browser asks for, such as `de-DE`. */
  readonly locale: string;
  /** Repeated in every form of the page. */
  readonly csrfToken: string;
  /** Path pattern for the log; the requested path could contain anything. */
  route: string;
  /** The signed-in person, once known. */
  person?: Person;
  /** Notices for the person, shown on every page. */
  readonly notices: Markup[];
  /** Reason of an error page, for the log. */
  reason?: string;
  /** The error on our side, for the log. */
  error?: unknown;
}

const visits = new WeakMap<Response, Visit>();

export function setVisit(response: Response, visit: Visit): void {
  visits.set(response, visit);
}

/** The visit that the first middleware began. */
export function visitOf(response: Response): Visit {
  const visit = visits.get(response);
  if (!visit) throw new Error("The request did not pass through the middleware that starts it.");
  return visit;
}
