import type { Router } from "express";
import express from "express";

import type { AccountHandler } from "../../http/account-page.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { sendProfilePage } from "./profile-page.ts";
import { saveSettings } from "./save-settings.ts";
import { importWeights, showWeightImport } from "./weight-import.ts";
import { WEIGHT_IMPORT_ROUTE } from "./weight-import-view.ts";
import { addWeight, confirmDeleteWeight, removeWeight } from "./weights.ts";

/** The page of goals, profile and weights. */
export function profilePages(dependencies: PageDependencies): Router {
  const router = express.Router({ caseSensitive: true });
  const page = (path: string, handler: AccountHandler) =>
    dependencies.accountPages.page(path, handler);
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
      sendProfilePage(dependencies, { request, response, person }),
    ),
  );
  router.post(profile, page(profile, saveSettings(dependencies)));
  router.post(weights, page(weights, addWeight(dependencies)));
  router.get(WEIGHT_IMPORT_ROUTE, page(WEIGHT_IMPORT_ROUTE, showWeightImport(dependencies)));
  router.post(WEIGHT_IMPORT_ROUTE, page(WEIGHT_IMPORT_ROUTE, importWeights(dependencies)));
  router.get(deletion, page(deletion, confirmDeleteWeight(dependencies)));
  router.post(deletion, page(deletion, removeWeight(dependencies)));
  return router;
}
