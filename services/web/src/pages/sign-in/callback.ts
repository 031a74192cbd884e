import type { Request, RequestHandler, Response } from "express";

import { queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { Flow } from "../../sessions/sign-in-flows.ts";
import { kindOfState } from "../../sessions/sign-in-flows.ts";
import type { ReturnOutcome } from "./callback-views.ts";
import { elsewherePage, mailLinkPage, usedLinkPage } from "./callback-views.ts";
import type { SignInDependencies } from "./dependencies.ts";
import { readMailLink, stateOfLink } from "./mail-link.ts";
import { askForPassword } from "./new-password.ts";

/** Callback of third-party sign-ins and links in mails. */
export function callbackRoute(dependencies: SignInDependencies): RequestHandler {
  const { flows } = dependencies;
  return async (request, response) => {
    visitOf(response).route = "/oauth/callback";
    const field = (name: string) => queryField(request, name);
    const link = readMailLink(field);
    if (link) {
      const page = mailLinkPage(link, { state: stateOfLink(field), visit: visitOf(response) });
      return sendPage(response, undefined, page);
    }
    const state = field("state");
    const flow = await flows.take(request, response, state);
    const kind = flow?.kind ?? kindOfState(state);
    // The session of a confirmed address may not set a password, so a link to a new password follows.
    if (!flow || flow.kind === "confirm")
      return sendPage(response, undefined, elsewherePage(kind, outcomeOf(request)));
    await completeTrip(dependencies, { request, response }, flow);
  };
}

function outcomeOf(request: Request): ReturnOutcome {
  if (queryField(request, "code") !== "") return "code";
  return queryField(request, "error") === "" ? "none" : "error";
}

async function completeTrip(
  dependencies: SignInDependencies,
  { request, response }: { request: Request; response: Response },
  { kind, verifier, returnTo }: Flow,
): Promise<void> {
  const { provider, signIns, devices } = dependencies;
  const returned = { code: queryField(request, "code"), verifier };
  if (kind === "recover") {
    const signedIn =
      returned.code === "" ? undefined : await provider.openMailLink(returned, request.ip);
    if (!signedIn) return sendPage(response, undefined, usedLinkPage("recovery"));
    const link = { signedIn, isRecovery: true, returnTo };
    return askForPassword(dependencies, response, { link });
  }
  if (returned.code === "") {
    const failure = provider.readThirdPartyFailure((name) => queryField(request, name));
    const query = new URLSearchParams({ done: failure, return_to: returnTo });
    return response.redirect(303, `/sign-in?${query.toString()}`);
  }
  const signedIn = await provider.exchangeCode(returned, request.ip);
  if (!signedIn) return sendPage(response, undefined, elsewherePage(kind, "code"));
  await signIns.begin(response, signedIn);
  await devices.remember(request, response, signedIn.identity.email);
  response.redirect(303, returnTo);
}
