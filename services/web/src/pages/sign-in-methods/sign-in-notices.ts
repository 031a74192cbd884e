import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { NewSignInMethod } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Request, Response } from "express";
import { z } from "zod";

import type { Backends } from "../../clients/backends.ts";
import { callOptionsFor, undefinedIfUnavailable } from "../../clients/call-options.ts";
import type { Person } from "../../clients/person.ts";
import { visitOf } from "../../http/visit.ts";
import type { IdentityProvider } from "../../identity-provider/identity-provider.ts";
import type { SealedCookies } from "../../sessions/sealed-cookies.ts";
import { newSignInNotice } from "./view.ts";

export interface SignInNoticesOptions {
  backends: Backends;
  cookies: SealedCookies;
  provider: Pick<IdentityProvider, "authenticationMethodsOf">;
}

const PURPOSE = "known-sign-ins";
/** Maximum lifetime that browsers allow for a cookie. */
const SECONDS = 400 * 86_400;

const shape = z.object({ accountId: z.string(), known: z.array(z.string()).max(10) });

/**
 * Shows a notice about a new sign-in method on every page until the person confirms the method. A session
 * that began with that method may be a stranger's, so it can only hide the notice in its own browser.
 */
export class SignInNotices {
  readonly #options: SignInNoticesOptions;

  constructor(options: SignInNoticesOptions) {
    this.#options = options;
  }

  /** Adds the notice to the visit, if there is one. Shows none while the service is unavailable. */
  async announce(request: Request, response: Response, person: Person): Promise<void> {
    const { auth } = this.#options.backends;
    const answer = await undefinedIfUnavailable(
      auth.listNewSignInMethods({}, callOptionsFor(person)),
    );
    if (!answer || answer.methods.length === 0) return;
    const known = await this.#knownHere(request, person);
    const methods = answer.methods.filter((one) => !known.includes(nameOf(one)));
    if (methods.length === 0) return;
    const visit = visitOf(response);
    visit.notices.push(newSignInNotice(visit, methods, request.originalUrl));
  }

  /** Handles the person's confirmation. */
  async confirm(response: Response, person: Person): Promise<void> {
    const { backends, cookies, provider } = this.#options;
    const authenticationMethods = [...provider.authenticationMethodsOf(person.accessToken)];
    const call = callOptionsFor(person);
    const { methods } =
      authenticationMethods.length === 0
        ? await backends.auth.listNewSignInMethods({}, call)
        : await backends.auth.confirmSignInMethods({ authenticationMethods }, call);
    const value = { accountId: person.user.accountId, known: methods.map(nameOf) };
    await cookies.write(response, PURPOSE, { value, ttlSeconds: SECONDS });
  }

  async #knownHere(request: Request, { user }: Person): Promise<string[]> {
    const { success, data } = shape.safeParse(await this.#options.cookies.read(request, PURPOSE));
    return success && data.accountId === user.accountId ? data.known : [];
  }
}

function nameOf({ method, firstSeenAt }: NewSignInMethod): string {
  return `${method} ${timestampDate(firstSeenAt!).toISOString()}`;
}
