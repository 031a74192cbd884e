import { Failure } from "@nutrition/core/failure";
import type { Request, RequestHandler, Response } from "express";

import { undefinedIfUnavailable } from "../clients/call-options.ts";
import type { Person } from "../clients/person.ts";
import { RETURN_PATH_MAX } from "../domain/return-path.ts";
import type { Sessions } from "../sessions/session.ts";
import type { Admission } from "./admission.ts";
import { visitOf } from "./visit.ts";

/** Renders a page for one signed-in person. */
export type AccountHandler = (
  request: Request,
  response: Response,
  person: Person,
) => Promise<void>;

/** Adds the notices for every page to the visit. */
export type Announce = (request: Request, response: Response, person: Person) => Promise<void>;

export interface AccountPagesOptions {
  sessions: Sessions;
  admission: Admission;
  announce: Announce;
}

/** Creates handlers for pages that require a signed-in person; redirects other visitors to sign in. */
export class AccountPages {
  readonly #sessions: Sessions;
  readonly #admission: Admission;
  readonly #announce: Announce;

  constructor({ sessions, admission, announce }: AccountPagesOptions) {
    this.#sessions = sessions;
    this.#admission = admission;
    this.#announce = announce;
  }

  /**
   * Requests that change something require a session that is live now. For pages that only read, it may have
   * been live up to 4 s ago. `route` is the path pattern for the log.
   */
  page(route: string, handler: AccountHandler): RequestHandler {
    return async (request, response) => {
      visitOf(response).route = route;
      const person = isReading(request)
        ? await this.#sessions.find(request, response)
        : (await this.#sessions.findNow(request, response))?.person;
      await this.#answer(request, response, { person, handler });
    };
  }

  /**
   * Redirects to sign in again unless the last sign-in was within 10 minutes; afterwards continues
   * at `returnTo`.
   */
  recentPage(
    route: string,
    handler: AccountHandler,
    returnTo: (request: Request) => string,
  ): RequestHandler {
    return async (request, response) => {
      visitOf(response).route = route;
      const current = await this.#sessions.findNow(request, response);
      if (current && !current.isRecent)
        return response.redirect(303, signInAgainPath(returnTo(request)));
      await this.#answer(request, response, { person: current?.person, handler });
    };
  }

  /** Middleware that fails as not found, with navigation for the signed-in person. */
  notFound(): RequestHandler {
    return async (request, response) => {
      const person = await undefinedIfUnavailable(this.#sessions.find(request, response));
      if (person) visitOf(response).person = person;
      throw new Failure("not_found", "PAGE_NOT_FOUND", "There is no page at this address.");
    };
  }

  async #answer(
    request: Request,
    response: Response,
    { person, handler }: { person: Person | undefined; handler: AccountHandler },
  ): Promise<void> {
    if (!person) return response.redirect(303, signInPath(request));
    const reads = isReading(request);
    const answer = async () => {
      if (reads) await this.#announce(request, response, person);
      await handler(request, response, person);
    };
    try {
      await this.#admission.admit({ response, person }, answer, { isReading: reads });
    } catch (error) {
      const hasEnded = error instanceof Failure && error.reason === "SESSION_ENDED";
      if (!hasEnded || response.headersSent) throw error;
      this.#sessions.forget(response);
      response.redirect(303, signInPath(request));
    }
  }
}

/** Path of the sign-in page for a signed-in person who has to authenticate again. */
export function signInAgainPath(returnTo: string): string {
  return `/sign-in?done=again&return_to=${encodeURIComponent(returnTo)}`;
}

/** Path of the sign-in page, which returns to the requested page if that was requested with GET. */
function signInPath(request: Request): string {
  const { originalUrl } = request;
  if (!isReading(request) || originalUrl.length > RETURN_PATH_MAX) return "/sign-in";
  return `/sign-in?return_to=${encodeURIComponent(originalUrl)}`;
}

function isReading({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}
