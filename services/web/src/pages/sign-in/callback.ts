import type { RequestHandler } from "express";

import { queryField } from "../../http/form.ts";
import type { Page } from "../../http/page.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import { markRecovered } from "../../sessions/recovered.ts";
import type { FlowKind } from "../../sessions/sign-in-flows.ts";
import { kindOfState } from "../../sessions/sign-in-flows.ts";
import { elsewherePage, mailLinkPage, usedLinkPage } from "./callback-views.ts";
import type { SignInDependencies } from "./dependencies.ts";
import { readMailLink } from "./mail-link.ts";

/** Callback of third-party sign-ins and links in mails. */
export function callbackRoute(dependencies: SignInDependencies): RequestHandler {
  const { provider, flows, signIns, cookies, devices } = dependencies;
  return async (request, response) => {
    visitOf(response).route = "/oauth/callback";
    const [code, state] = [queryField(request, "code"), queryField(request, "state")];
    const link = readMailLink((name) => queryField(request, name));
    if (link) {
      const page = mailLinkPage(link, { state, visit: visitOf(response) });
      return sendPage(response, undefined, page);
    }
    const flow = await flows.take(request, response, state);
    if (!flow) {
      const page = elsewherePage(kindOfState(state), code !== "");
      return sendPage(response, undefined, page);
    }
    if (code === "" && flow.kind === "third_party") {
      const failure = provider.readThirdPartyFailure((name) => queryField(request, name));
      const returnTo = encodeURIComponent(flow.returnTo);
      return response.redirect(303, `/sign-in?done=${failure}&return_to=${returnTo}`);
    }
    const { verifier } = flow;
    const signedIn =
      code === "" ? undefined : await provider.exchangeCode({ code, verifier }, request.ip);
    if (!signedIn) return sendPage(response, undefined, refusedPage(flow.kind));
    const person = await signIns.begin(response, signedIn);
    await devices.remember(request, response, signedIn.identity.email);
    if (flow.kind !== "recover") return response.redirect(303, flow.returnTo);
    await markRecovered(response, cookies, { person, returnTo: flow.returnTo });
    response.redirect(303, "/recover/password");
  };
}

function refusedPage(kind: FlowKind): Page {
  if (kind === "third_party") return elsewherePage(kind, true);
  return usedLinkPage(kind === "recover" ? "recovery" : "signup");
}
