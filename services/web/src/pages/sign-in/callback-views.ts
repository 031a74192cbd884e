import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import type { MailLink, MailLinkType } from "../../identity-provider/identity-provider.ts";
import type { FlowKind } from "../../sessions/sign-in-flows.ts";

interface LinkTexts {
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

const LINKS: Readonly<Record<MailLinkType, LinkTexts>> = {
  signup: {
    title: "Confirm your address",
    text: "Go on to confirm your e-mail address and to choose your password.",
    button: "Confirm my address",
  },
  recovery: {
    title: "Set a new password",
    text: "Go on if you asked for a new password: your current one ends at once, and you are signed out everywhere. If it was not you, close this page: nothing changes.",
    button: "Go on",
  },
  invite: {
    title: "Welcome",
    text: "You are invited to keep a food journal here. Go on to choose your password.",
    button: "Accept the invitation",
  },
};

/** Asks for a click before using the link: it works once, and mail programs open links in advance. */
export function mailLinkPage(
  { type, tokenHash }: MailLink,
  { state, visit }: { state: string; visit: Visit },
): Page {
  const { title, text, button } = LINKS[type];
  return {
    title,
    body: markup`<section class="card narrow">
      <h1>${title}</h1>
      <p>${text}</p>
      <form method="post" action="/oauth/callback">
        ${csrfField(visit)}
        <input type="hidden" name="type" value="${type}" />
        <input type="hidden" name="token_hash" value="${tokenHash}" />
        <input type="hidden" name="state" value="${state}" />
        <p class="actions"><button class="full" autofocus>${button}</button></p>
      </form>
    </section>`,
  };
}

const SIGN_IN = markup`<a class="button quiet" href="/sign-in">Sign in</a>`;
const NEW_LINK = markup`<a class="button" href="/recover">Send me a new link</a>`;

/**
 * For a return from the provider's own page, which signs in nobody: the session may not set a password, and the
 * password of the sign-up may be a stranger's. The provider does not always say whether it confirmed the address.
 */
const CONFIRMED_PAGE = answerPage("Your address is confirmed", {
  text: markup`One more step: choose your password, with a second link that we send you. If you opened the
    first link before and have chosen one, just sign in.`,
  actions: markup`<a class="button" href="/recover">Send me the second link</a> ${SIGN_IN}`,
});

/** The link is used, replaced or has expired. */
export function usedLinkPage(type: MailLinkType): Page {
  const why = "It has been used already, it is too old, or a newer mail replaced it.";
  return answerPage("This link does not work any more", {
    text: type === "recovery" ? markup`${why} Ask for a new one.` : withoutPassword(type, why),
    actions: type === "recovery" ? NEW_LINK : markup`${NEW_LINK} ${SIGN_IN}`,
    status: 400,
  });
}

/** A sign-up with an invited address, by anybody, replaces the invitation. */
function withoutPassword(type: "signup" | "invite", why: string): Markup {
  const other =
    type === "invite"
      ? "Somebody who signs up with your address ends an invitation, but gets nothing by it. "
      : "";
  return markup`${why} ${other}If you have chosen a password, sign in. Otherwise have a new link sent, with which
    you choose one.`;
}

/** How a trip returned: with a code, with an error, or with neither. */
export type ReturnOutcome = "code" | "error" | "none";

/**
 * For a return that signs in nobody, because this browser did not begin it or it came too late. `kind` may come
 * from the address, which anybody can forge, so it only selects the text.
 */
export function elsewherePage(kind: FlowKind | undefined, outcome: ReturnOutcome): Page {
  if (kind === "confirm") return outcome === "error" ? usedLinkPage("signup") : CONFIRMED_PAGE;
  if (kind === "recover") {
    if (outcome !== "code") return usedLinkPage("recovery");
    return answerPage("Open the link where you asked for it", {
      text: markup`A link to a new password works only in the browser in which you asked for it, and this
        is another one. Ask for a new link here, and open it here.`,
      actions: NEW_LINK,
      status: 400,
    });
  }
  return answerPage("Please start again", {
    text: markup`This sign-in did not begin in this browser, or it took too long.`,
    actions: markup`<a class="button" href="/sign-in">Sign in</a>
      <a class="button quiet" href="/recover">I forgot my password</a>`,
    status: 400,
  });
}

function answerPage(
  title: string,
  { text, actions, status = 200 }: { text: Markup; actions: Markup; status?: number },
): Page {
  return {
    title,
    status,
    body: markup`<section class="card narrow">
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="actions">${actions}</p>
    </section>`,
  };
}
