import type { Markup } from "@nutrition/core/markup";
import type { Response } from "express";

import type { Person } from "../clients/person.ts";

/** What is known about the visit that a response belongs to. */
export interface Visit {
  /** UUID; the gateway's, when the visit came through it. */
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Resolves when the whole answer has been handed over, or the visitor has hung up. */
  readonly closed: Promise<void>;
  /** Allows the page's own scripts, and no others. */
  readonly nonce: string;
  /** Whose formats the browser asks for, such as `de-DE`. */
  readonly locale: string;
  /** Repeated in every form of the page. */
  readonly csrfToken: string;
  /** Path pattern for the log; the requested path may hold anything. */
  route: string;
  /** Who is signed in, once it is known. */
  person?: Person;
  /** What the person is told on whatever page this is. */
  notice?: Markup;
  /** Why the visitor got an error page, for the log. */
  reason?: string;
  /** What went wrong on our side, for the log. */
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
