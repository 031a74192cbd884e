import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { NewSignInMethod } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { SignInMethod } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { exactTime } from "../../domain/moments.ts";
import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";

/** Path of the page with advice. */
export const SIGN_IN_METHODS_ROUTE = "/settings/sign-in-methods";

const WAYS: Readonly<Record<SignInMethod, string>> = {
  [SignInMethod.UNSPECIFIED]: "in a new way",
  [SignInMethod.PASSWORD]: "with a password",
  [SignInMethod.THIRD_PARTY]: "through another provider, such as Google",
  [SignInMethod.MESSAGE]: "with a link or a code from a mail",
  [SignInMethod.PASSKEY]: "with a passkey",
  [SignInMethod.OTHER]: "in a way that we do not know",
};

/** Asks whether the person signed in; `path` is the page to return to. */
export function newSignInNotice(
  visit: Visit,
  methods: readonly NewSignInMethod[],
  path: string,
): Markup {
  return markup`<section class="warning announced" aria-label="New way to sign in">
    ${methods.map(sentenceOf)}
    <form method="post" action="${SIGN_IN_METHODS_ROUTE}" class="actions">
      ${csrfField(visit)}
      <input type="hidden" name="return_to" value="${path}" />
      <button class="quiet">It was me</button>
      <a class="button quiet" href="${SIGN_IN_METHODS_ROUTE}">It was not me</a>
    </form>
  </section>`;
}

function sentenceOf({ method, firstSeenAt }: NewSignInMethod): Markup {
  const moment = timestampDate(firstSeenAt!);
  const way = WAYS[method] ?? WAYS[SignInMethod.OTHER];
  return markup`<p><strong>Somebody signed in to your account ${way}</strong> for the first time, on
    <time datetime="${moment.toISOString()}">${exactTime(moment, "UTC")} UTC</time>. Was it you?</p>`;
}

/** Advice after a sign-in by a stranger. */
export const UNRECOGNIZED_SIGN_IN_PAGE: Page = {
  title: "Keep others out",
  body: markup`<section class="card narrow">
    <h1>If it was not you</h1>
    <p>Somebody else may have found a way into your account. Take these steps, in this order:</p>
    <ol class="steps">
      <li><a href="/recover">Choose a new password</a>, with the link that we send you. It replaces any
        password that somebody else has set, even if you do not use one.</li>
      <li><a href="/settings/access">Sign out everywhere</a>.</li>
      <li>Disconnect the <a href="/settings/connections">assistants</a> and revoke the
        <a href="/settings/keys">API keys</a> that you do not know.</li>
      <li>If you sign in with Google or the like, check the security of that account, too.</li>
    </ol>
  </section>`,
};
