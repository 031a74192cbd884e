import { Failure } from "@nutrition/core/failure";
import { networkOf } from "@nutrition/core/network";
import type { RequestHandler } from "express";
import { z } from "zod";

import { Attempts } from "../../domain/attempts.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { MailLink } from "../../identity-provider/identity-provider.ts";
import { elsewherePage, usedLinkPage } from "./callback-views.ts";
import type { SignInDependencies } from "./dependencies.ts";
import { askForPassword } from "./new-password.ts";

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
 * The state of the trip that a link belongs to: a parameter of the link, or of the address to return to that
 * links of the documented templates carry. Empty without one.
 */
export function stateOfLink(field: (name: string) => string): string {
  const returnTo = URL.parse(field("redirect_to"))?.searchParams.get("state");
  return field("state") || (returnTo ?? "");
}

/**
 * Uses a mail's link after the person's click, in any browser, and asks for a password on a page that names the
 * address: a stranger could send the link to an account of their own.
 */
export function useMailLink(dependencies: SignInDependencies): RequestHandler {
  const { provider, flows, clock } = dependencies;
  const attempts = new Attempts(PER_NETWORK);
  return async (request, response) => {
    visitOf(response).route = "/oauth/callback";
    const link = readMailLink((name) => formField(request, name));
    if (!link) return sendPage(response, undefined, elsewherePage(undefined, "code"));
    if (!attempts.allow(networkOf(request.ip ?? ""), clock.monotonicMs())) throw tooManyLinks();
    const signedIn = await provider.openMailLink(link, request.ip);
    if (!signedIn) return sendPage(response, undefined, usedLinkPage(link.type));
    const flow = await flows.take(request, response, formField(request, "state"));
    const returnTo = flow?.returnTo ?? HOME;
    const isRecovery = link.type === "recovery";
    await askForPassword(dependencies, response, { link: { signedIn, isRecovery, returnTo } });
  };
}

function tooManyLinks(): Failure {
  const message = "Too many links were opened from your network. Try again in 10 minutes.";
  return new Failure("resource_exhausted", "TOO_MANY_LINKS", message, { retryAfterMs: WINDOW_MS });
}
