import express from "express";
import type { Request, RequestHandler, Response, Router } from "express";

import { formSecret, formText } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { PasswordRefusal } from "../../identity-provider/identity-provider.ts";
import type { OpenedLink } from "../../sessions/opened-links.ts";
import { accessPath } from "../access/routes.ts";
import type { FormErrors } from "../form-errors.ts";
import type { SignInDependencies } from "./dependencies.ts";
import { NEW_PASSWORD_ROUTE, OUTDATED_PAGE, newPasswordPage } from "./new-password-view.ts";

const LENGTH_MIN = 8;

/** Checks a new password before the identity provider is called. */
export function newPasswordErrors(password: string): FormErrors {
  if ([...password].length >= LENGTH_MIN) return {};
  return { password: `Use at least ${LENGTH_MIN} characters.` };
}

/** Messages for the identity provider's refusals of a new password. */
export const PASSWORD_REFUSALS: Readonly<
  Record<Exclude<PasswordRefusal, "session_ended">, FormErrors>
> = {
  weak_password: { password: "This password is too easy to guess. Choose a longer one." },
  other: { password: "This password was not accepted. Choose another one." },
};

/** The form for a password after a link in a mail. */
export function newPasswordRoutes(dependencies: SignInDependencies): Router {
  const router = express.Router({ caseSensitive: true });
  router.get(NEW_PASSWORD_ROUTE, (_request, response) => response.redirect(303, "/recover"));
  router.post(NEW_PASSWORD_ROUTE, saveNewPassword(dependencies));
  return router;
}

/** Asks the person who has opened a link for a password. */
export async function askForPassword(
  { openedLinks }: SignInDependencies,
  response: Response,
  { link, errors = {} }: { link: OpenedLink; errors?: FormErrors },
): Promise<void> {
  const visit = visitOf(response);
  const sealed = await openedLinks.seal(link, visit.csrfToken);
  const { email } = link.signedIn.identity;
  const page = newPasswordPage(visit, { email, sealed, isRecovery: link.isRecovery, errors });
  sendPage(response, undefined, page);
}

/**
 * Sets the password, then signs the person in and ends their other sessions here. Sending the form again after a
 * failure in between completes it.
 */
function saveNewPassword(dependencies: SignInDependencies): RequestHandler {
  const { provider, openedLinks } = dependencies;
  return async (request, response) => {
    const visit = visitOf(response);
    visit.route = NEW_PASSWORD_ROUTE;
    const link = await openedLinks.open(formText(request, "link"), visit.csrfToken);
    if (!link) return sendPage(response, undefined, OUTDATED_PAGE);
    const password = formSecret(request, "password");
    const errors = newPasswordErrors(password);
    if (Object.keys(errors).length > 0)
      return askForPassword(dependencies, response, { link, errors });
    const { accessToken } = link.signedIn.session;
    const change = { password, clientAddress: request.ip };
    const refusal = await provider.setPassword(accessToken, change);
    if (refusal === "session_ended") return sendPage(response, undefined, OUTDATED_PAGE);
    if (refusal !== undefined) {
      const refused = { link, errors: PASSWORD_REFUSALS[refusal] };
      return askForPassword(dependencies, response, refused);
    }
    await signInWithNewPassword(dependencies, { request, response }, link);
  };
}

async function signInWithNewPassword(
  { signIns, sessions, devices }: SignInDependencies,
  { request, response }: { request: Request; response: Response },
  { signedIn, isRecovery, returnTo }: OpenedLink,
): Promise<void> {
  const person = await signIns.begin(response, signedIn, { hasSetPassword: true });
  await sessions.endOthers(person);
  await devices.remember(request, response, signedIn.identity.email);
  response.redirect(303, isRecovery ? accessPath("password-changed", returnTo) : returnTo);
}
