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
    text: "One click, and your e-mail address is confirmed.",
    button: "Confirm my address",
  },
  recovery: {
    title: "Set a new password",
    text: "Go on if you asked for a new password. If it was not you, close this page: nothing changes.",
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

const SIGN_IN = markup`<a class="button" href="/sign-in">Sign in</a>`;
const RESET = markup`<a class="button" href="/recover">Send me a new link</a>`;
const RESEND = markup`<a class="button quiet" href="/sign-up/resend">Send the mail again</a>`;

/** The address is confirmed, but the person has to sign in, because the link may be a stranger's. */
export const CONFIRMED_PAGE = answerPage("Your address is confirmed", {
  text: markup`You opened the link in another browser than the one you signed up in, so you are not
    signed in here yet.`,
  actions: SIGN_IN,
});

/** The link is used or has expired. */
export function usedLinkPage(type: MailLinkType): Page {
  const status = 400;
  const title = "This link does not work any more";
  const old = "It has been used already, or it is too old.";
  if (type === "recovery")
    return answerPage(title, { text: markup`${old} Ask for a new one.`, actions: RESET, status });
  if (type === "signup") {
    const text = markup`${old} If you confirmed your address before, just sign in.`;
    return answerPage(title, { text, actions: markup`${SIGN_IN} ${RESEND}`, status });
  }
  const text = markup`${old} If you have chosen a password, sign in with it; else
    <a href="/recover">ask for a link to set one</a>, or ask whoever invited you for a new invitation.`;
  return answerPage(title, { text, actions: SIGN_IN, status });
}

/**
 * For a return that this browser did not begin, or that came too late. `kind` comes from the address, which
 * anybody can forge, so it only selects the text.
 */
export function elsewherePage(kind: FlowKind | undefined, hasCode: boolean): Page {
  if (kind === "confirm") return hasCode ? CONFIRMED_PAGE : usedLinkPage("signup");
  if (kind === "recover") {
    if (!hasCode) return usedLinkPage("recovery");
    return answerPage("Open the link where you asked for it", {
      text: markup`A link to a new password works only in the browser in which you asked for it, and this
        is another one. Ask for a new link here, and open it here.`,
      actions: RESET,
      status: 400,
    });
  }
  return answerPage("Please start again", {
    text: markup`This sign-in did not begin in this browser, or it took too long.`,
    actions: markup`${SIGN_IN} <a class="button quiet" href="/recover">I forgot my password</a>`,
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
