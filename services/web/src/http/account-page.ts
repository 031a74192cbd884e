import type { Request, RequestHandler, Response } from "express";

import type { Person, Sessions } from "../sessions/session.ts";
import { visitOf } from "./visit.ts";

/** Answers for one signed-in person. */
export type AccountHandler = (
  request: Request,
  response: Response,
  person: Person,
) => Promise<void>;

/** Makes handlers of pages that only a signed-in person sees; others are asked to sign in. */
export class AccountPages {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** `route` is the path pattern for the log. */
  page(route: string, handler: AccountHandler): RequestHandler {
    return async (request, response) => {
      const visit = visitOf(response);
      visit.route = route;
      const person = await this.#sessions.find(request, response);
      if (!person) return response.redirect(303, signInPath(request));
      visit.accountId = person.user.accountId;
      await handler(request, response, person);
    };
  }
}

/** The sign-in page, which leads back to a page that was asked for with GET. */
function signInPath({ method, originalUrl }: Request): string {
  return method === "GET" ? `/sign-in?return_to=${encodeURIComponent(originalUrl)}` : "/sign-in";
}
