import { Failure } from "@nutrition/core/failure";
import type { Request, RequestHandler, Response } from "express";

import { orNothing } from "../clients/person-calls.ts";
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
      visit.person = person;
      await handler(request, response, person);
    };
  }

  /** Middleware that fails, with navigation for who is signed in: nothing else has answered. */
  notFound(): RequestHandler {
    return async (request, response) => {
      const person = await orNothing(this.#sessions.find(request, response));
      if (person) visitOf(response).person = person;
      throw new Failure("not_found", "PAGE_NOT_FOUND", "There is no page at this address.");
    };
  }
}

/** The sign-in page, which leads back to a page that was asked for with GET. */
function signInPath({ method, originalUrl }: Request): string {
  return method === "GET" ? `/sign-in?return_to=${encodeURIComponent(originalUrl)}` : "/sign-in";
}
