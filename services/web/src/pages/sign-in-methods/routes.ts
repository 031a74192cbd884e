import express from "express";
import type { Router } from "express";

import { returnPath } from "../../domain/return-path.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import type { SignInNotices } from "./sign-in-notices.ts";
import { SIGN_IN_METHODS_ROUTE, UNRECOGNIZED_SIGN_IN_PAGE } from "./view.ts";

export interface SignInMethodDependencies extends PageDependencies {
  readonly signInNotices: SignInNotices;
}

/** The page on which people confirm or report a new sign-in method. */
export function signInMethodPages({
  accountPages,
  signInNotices,
}: SignInMethodDependencies): Router {
  const router = express.Router({ caseSensitive: true });
  const route = SIGN_IN_METHODS_ROUTE;
  router.get(
    route,
    accountPages.page(route, async (_request, response, person) => {
      sendPage(response, person, UNRECOGNIZED_SIGN_IN_PAGE);
    }),
  );
  router.post(
    route,
    accountPages.page(route, async (request, response, person) => {
      await signInNotices.confirm(response, person);
      response.redirect(303, returnPath(formField(request, "return_to")));
    }),
  );
  return router;
}
