import { Failure } from "@nutrition/core/failure";
import { networkOf } from "@nutrition/core/network";
import type { RequestHandler } from "express";
import { z } from "zod";

import { undefinedIfUnavailable } from "../../clients/call-options.ts";
import { Attempts } from "../../domain/attempts.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { MailLink } from "../../identity-provider/identity-provider.ts";
import { markRecovered } from "../../sessions/recovered.ts";
import { CONFIRMED_PAGE, elsewherePage, usedLinkPage } from "./callback-views.ts";
import type { SignInDependencies } from "./dependencies.ts";

const WINDOW_MS = 10 * 60_000;
const PER_NETWORK = { max: 30, windowMs: WINDOW_MS };
const HOME = "/journal";

const shape = z.object({
  type: z.enum(["signup", "recovery", "invite"]),
  tokenHash: z.string().regex(/^[\w-]{8,200}$/),
});

/** Reads the token of a link; undefined without a token of a known type. */
export function readMailLink(field: (name: string) => string): MailLink | undefined {
  return shape.safeParse({ type: field("type"), tokenHash: field("token_hash") }).data;
}

/**
 * Uses a mail's link after the person's click, in any browser. Confirming an address signs in only the
 * browser that signed up, because a stranger could send a link to their own account. A new password or an
 * invitation leads to a page that names the account.
 */
export function useMailLink(dependencies: SignInDependencies): RequestHandler {
  const { provider, flows, signIns, cookies, devices, clock } = dependencies;
  const attempts = new Attempts(PER_NETWORK);
  return async (request, response) => {
    visitOf(response).route = "/oauth/callback";
    const link = readMailLink((name) => formField(request, name));
    if (!link) return sendPage(response, undefined, elsewherePage(undefined, false));
    if (!attempts.allow(networkOf(request.ip ?? ""), clock.monotonicMs())) throw tooManyLinks();
    const signedIn = await provider.openMailLink(link, request.ip);
    if (!signedIn) return sendPage(response, undefined, usedLinkPage(link.type));
    const flow = await flows.take(request, response, formField(request, "state"));
    if (link.type === "signup" && !flow) {
      await undefinedIfUnavailable(provider.endSession(signedIn.session.accessToken));
      return sendPage(response, undefined, CONFIRMED_PAGE);
    }
    const person = await signIns.begin(response, signedIn);
    await devices.remember(request, response, signedIn.identity.email);
    const returnTo = flow?.returnTo ?? HOME;
    if (link.type === "signup") return response.redirect(303, returnTo);
    await markRecovered(response, cookies, { person, returnTo });
    response.redirect(303, "/recover/password");
  };
}

function tooManyLinks(): Failure {
  const message = "Too many links were opened from your network. Try again in 10 minutes.";
  return new Failure("resource_exhausted", "TOO_MANY_LINKS", message, { retryAfterMs: WINDOW_MS });
}
