import type { Router } from "express";
import express from "express";

import { callOptionsFor } from "../../clients/call-options.ts";
import type { AccountHandler } from "../../http/account-page.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import { KeyCreation } from "./creation.ts";
import { revokeView } from "./confirm-views.ts";
import { KeyLists } from "./lists.ts";
import type { KeysDependencies } from "./dependencies.ts";
import { renamingRoutes } from "./renaming-routes.ts";
import { rotationRoutes } from "./rotation-routes.ts";

/** The pages on which a person manages their keys. */
export function keysPages(dependencies: KeysDependencies): Router {
  const { backends, accountPages } = dependencies;
  const lists = new KeyLists(dependencies);
  const creation = new KeyCreation(dependencies, lists);
  const router = express.Router({ caseSensitive: true });
  const get = (path: string, handler: AccountHandler) =>
    router.get(path, accountPages.page(path, handler));
  const post = (path: string, handler: AccountHandler) =>
    router.post(path, accountPages.page(path, handler));

  get("/settings/keys", (request, response, person) => lists.send(request, response, person));
  post("/settings/keys", (request, response, person) => creation.answer(request, response, person));
  get("/settings/keys/:id/revoke", async (request, response, person) => {
    const key = await lists.getActiveKey(person, String(request.params["id"]));
    const body = revokeView(key, visitOf(response));
    sendPage(response, person, { title: "Revoke a key", body });
  });
  post("/settings/keys/:id/revoke", async (request, response, person) => {
    const value = String(request.params["id"]);
    await backends.auth.revokeKey({ selector: { case: "keyId", value } }, callOptionsFor(person));
    response.redirect(303, "/settings/keys?done=revoked");
  });
  router.use(renamingRoutes(dependencies, lists), rotationRoutes(dependencies, lists));
  return router;
}
