import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { RequestHandler } from "express";

import { queryField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import { markRecovered } from "../../sessions/recovered.ts";
import type { SignInDependencies } from "./dependencies.ts";

/** Callback of third-party sign-ins and links in mails. */
export function callbackRoute(dependencies: SignInDependencies): RequestHandler {
  const { provider, flows, signIns, cookies, devices } = dependencies;
  return async (request, response) => {
    visitOf(response).route = "/oauth/callback";
    const code = queryField(request, "code");
    const flow = await flows.take(request, response, queryField(request, "state"));
    if (!flow) return sendPage(response, undefined, lapsed(UNKNOWN_FLOW_PAGE));
    if (code === "") {
      // The person declined at the third party, or the mail's link has expired.
      if (flow.kind !== "third_party") return sendPage(response, undefined, lapsed(OLD_LINK));
      const returnTo = encodeURIComponent(flow.returnTo);
      return response.redirect(303, `/sign-in?done=cancelled&return_to=${returnTo}`);
    }
    const { verifier } = flow;
    const signedIn = await provider.exchangeCode({ code, verifier }, request.ip);
    if (!signedIn) return sendPage(response, undefined, lapsed(OLD_LINK));
    const person = await signIns.begin(response, signedIn);
    await devices.remember(request, response, signedIn.identity.email);
    if (flow.kind !== "recover") return response.redirect(303, flow.returnTo);
    await markRecovered(response, cookies, { person, returnTo: flow.returnTo });
    response.redirect(303, "/recover/password");
  };
}

const UNKNOWN_FLOW_PAGE = markup`This sign-in did not begin in this browser, or it took too long. If you came
  from a link in a mail, open it in the browser in which you asked for it.`;
const OLD_LINK = markup`The link has been used already, or it is too old.`;

function lapsed(reason: Markup) {
  return {
    title: "Start again",
    status: 400,
    body: markup`<section class="card narrow">
      <h1>Please start again</h1>
      <p>${reason}</p>
      <p class="actions">
        <a class="button" href="/sign-in">Sign in</a>
        <a class="button quiet" href="/recover">I forgot my password</a>
      </p>
    </section>`,
  };
}
