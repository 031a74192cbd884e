import type { Router } from "express";
import express from "express";

import type { AccountHandler } from "../../http/account-page.ts";
import type { PageParts } from "../page-parts.ts";
import { sendProfilePage } from "./profile-page.ts";
import { saveSettings } from "./save-settings.ts";
import { addWeight, askToDeleteWeight, removeWeight } from "./weights.ts";

/** The page of goals, profile and weights. */
export function profilePages(parts: PageParts): Router {
  const router = express.Router({ caseSensitive: true });
  const page = (path: string, handler: AccountHandler) => parts.accountPages.page(path, handler);
  const profile = "/settings/profile";
  const weights = "/settings/profile/weights";
  const deletion = "/settings/profile/weights/:id/delete";
  router.get(
    "/settings",
    page("/settings", async (_request, response) => response.redirect(303, profile)),
  );
  router.get(
    profile,
    page(profile, (request, response, person) =>
      sendProfilePage(parts, { request, response, person }),
    ),
  );
  router.post(profile, page(profile, saveSettings(parts)));
  router.post(weights, page(weights, addWeight(parts)));
  router.get(deletion, page(deletion, askToDeleteWeight(parts)));
  router.post(deletion, page(deletion, removeWeight(parts)));
  return router;
}
