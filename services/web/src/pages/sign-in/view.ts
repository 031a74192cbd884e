import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { csrfField } from "../../http/layout.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { errorAttributes, errorSummary, fieldError } from "../form-errors.ts";

export interface SignInState {
  readonly returnTo: string;
  readonly email: string;
  readonly errors: FormErrors;
  readonly notice?: Markup;
  readonly thirdParties: readonly string[];
}

const NOTHING = markup``;
const NAMES: Readonly<Record<string, string>> = {
  google: "Google",
  github: "GitHub",
  gitlab: "GitLab",
  apple: "Apple",
  azure: "Microsoft",
  linkedin_oidc: "LinkedIn",
};

/** The sign-in page. */
export function signInPage(visit: Visit, state: SignInState): Page {
  const { returnTo, email, errors, notice = NOTHING, thirdParties } = state;
  const isConnecting = returnTo.startsWith("/oauth/consent");
  const query = returnTo === "/journal" ? "" : `?return_to=${encodeURIComponent(returnTo)}`;
  return {
    title: "Sign in",
    body: markup`<section class="card narrow">
      <h1>Sign in</h1>
      ${isConnecting ? markup`<p class="soft">An assistant wants to connect to your journal. Sign in to see what it asks for.</p>` : NOTHING}
      ${notice}
      ${errorSummary(errors)}
      ${thirdPartyLinks(thirdParties, query)}
      <form method="post" action="/sign-in">
        ${csrfField(visit)}
        <input type="hidden" name="return_to" value="${returnTo}" />
        ${emailField(email, errors)}
        ${passwordField({ label: "Password", autocomplete: "current-password", errors, isFocused: email !== "" && !errors["email"] })}
        <p class="hint"><a href="/recover${query}">Forgot your password?</a></p>
        <p class="actions"><button class="full">Sign in</button></p>
      </form>
      <p class="soft">New here? <a href="/sign-up${query}">Create an account</a>. No mail to confirm your
        address? <a href="/sign-up/resend">Send it again</a></p>
    </section>`,
  };
}

function thirdPartyLinks(thirdParties: readonly string[], query: string): Markup {
  if (thirdParties.length === 0) return NOTHING;
  const links = thirdParties.map(
    (id) =>
      markup`<li><a class="button quiet full" href="/sign-in/with/${id}${query}">Continue with ${NAMES[id] ?? id.replace("custom:", "")}</a></li>`,
  );
  return markup`<ul class="third-parties">${links}</ul>
    <p class="divider"><span>or with your e-mail address</span></p>`;
}

const FOCUSED = markup`autofocus`;

/** A field for an e-mail address, focused if it is empty or invalid. */
export function emailField(email: string, errors: FormErrors): Markup {
  return markup`<label for="email">E-mail address</label>
    <input id="email" name="email" type="email" autocomplete="username" required maxlength="254"
      value="${email}" ${errorAttributes(errors, "email")}
      ${email === "" || errors["email"] ? FOCUSED : NOTHING} />
    ${fieldError(errors, "email")}`;
}

/** A field for a new password, with advice. */
export function newPasswordField(errors: FormErrors, isFocused: boolean): Markup {
  const field = { label: "New password", autocomplete: "new-password", errors, isFocused } as const;
  return markup`${passwordField(field)}
    <p class="hint">At least 8 characters. A few words that nobody would guess are best.</p>`;
}

/** A field for a password, never prefilled. */
export function passwordField({
  label,
  autocomplete,
  errors,
  isFocused,
}: {
  label: string;
  autocomplete: "current-password" | "new-password";
  errors: FormErrors;
  isFocused: boolean;
}): Markup {
  return markup`<label for="password">${label}</label>
    <input id="password" name="password" type="password" autocomplete="${autocomplete}" required
      maxlength="200" ${errorAttributes(errors, "password")} ${isFocused ? FOCUSED : NOTHING} />
    ${fieldError(errors, "password")}`;
}
