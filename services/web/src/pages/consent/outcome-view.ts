import { markup } from "@nutrition/core/markup";

import { readRedirectTarget } from "../../domain/redirect-target.ts";
import type { Page } from "../../http/page.ts";
import { clientHome } from "../client-view.ts";
import type { StoredAuthorization } from "./authorization-store.ts";

type Settled = Extract<StoredAuthorization, { state: "settled" }>;

const SETTLED = {
  allowed: { title: "Connected", text: "The assistant is connected." },
  denied: { title: "Denied", text: "Nothing was allowed." },
  device: {
    title: "Connect an app on this device again?",
    text: "It asks for access that you have allowed an app on this device before. Continue only if you are connecting it yourself right now.",
  },
  several: {
    title: "Connect an assistant again?",
    text: "You have allowed several assistants, and the sign-in service does not say which of them is asking. Continue only if you are connecting one at the address below yourself right now. Otherwise close this page: nothing is sent.",
  },
  restart: {
    title: "Start connecting again",
    text: "The sign-in service remembered an approval of this assistant that does not hold here, for instance because you have disconnected it. That approval was withdrawn. Go back and connect it once more; you will then be asked what it may do.",
  },
  moved: {
    title: "This assistant has moved",
    text: "It would return to a different address than the one that you allowed. If you trust the address below, disconnect the assistant under “Your assistants” first and connect it again.",
  },
};

/** Returns to the client, automatically unless the person has to read something first. */
export function returnPage({ outcome, redirectUrl }: Settled): Page {
  const { title, text } = SETTLED[outcome];
  const home = clientHome(readRedirectTarget(redirectUrl)!.host);
  return {
    title,
    body: markup`<section class="card narrow">
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="soft">You go back to ${home}.</p>
      <p class="actions"><a class="button" href="${redirectUrl}">Continue</a>
        <a class="button quiet" href="/settings/connections">Your assistants</a></p>
    </section>`,
    ...(outcome === "allowed" || outcome === "denied" ? { continueTo: redirectUrl } : {}),
  };
}

const UNUSABLE = {
  gone: {
    title: "This request has expired",
    text: "It is more than ten minutes old, or somebody else has opened it. Go back to your assistant and connect it again.",
    status: 404,
  },
  answered: {
    title: "This request was already answered",
    text: "Go back to your assistant. If it is not connected, connect it again.",
    status: 409,
  },
  unusable: {
    title: "This request cannot be used",
    text: "It is incomplete, or it would lead to an unsafe address. Go back to your assistant and connect it again.",
    status: 400,
  },
  switched: {
    title: "You are signed out",
    text: "Go back to your assistant and connect it again: you can then sign in with the other account.",
    status: 200,
  },
};

/** Explains why nothing can be approved, and what to do. */
export function unusablePage(kind: keyof typeof UNUSABLE): Page {
  const { title, text, status } = UNUSABLE[kind];
  return {
    title,
    status,
    body: markup`<section class="card narrow">
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a href="/settings/connections">Your assistants</a></p>
    </section>`,
  };
}
