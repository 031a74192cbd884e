import { Failure } from "@nutrition/core/failure";
import type { Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Router } from "express";
import express from "express";

import { callOptionsFor } from "../../clients/call-options.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import type { Page } from "../../http/page.ts";
import type { Visit } from "../../http/visit.ts";
import { visitOf } from "../../http/visit.ts";
import type { FormErrors } from "../form-errors.ts";
import { renameView } from "./confirm-views.ts";
import type { KeysDependencies } from "./dependencies.ts";
import type { KeyLists } from "./lists.ts";

const ROUTE = "/settings/keys/:id/rename";
const NAME_MISSING = "Give the key a name, so that you know later what uses it.";

/** The page for renaming a key. */
export function renamingRoutes(dependencies: KeysDependencies, lists: KeyLists): Router {
  const { backends, accountPages } = dependencies;
  const router = express.Router({ caseSensitive: true });
  router.get(
    ROUTE,
    accountPages.page(ROUTE, async (request, response, person) => {
      const key = await lists.getActiveKey(person, String(request.params["id"]));
      sendPage(response, person, renamePage(key, { errors: {} }, visitOf(response)));
    }),
  );
  router.post(
    ROUTE,
    accountPages.page(ROUTE, async (request, response, person) => {
      const key = await lists.getActiveKey(person, String(request.params["id"]));
      const name = formField(request, "name");
      const refuse = (message: string) => {
        const form = { typed: name, errors: { name: message } };
        sendPage(response, person, { ...renamePage(key, form, visitOf(response)), status: 400 });
      };
      if (name === "") return refuse(NAME_MISSING);
      try {
        await backends.auth.renameKey({ keyId: key.id, name }, callOptionsFor(person));
      } catch (error) {
        if (!(error instanceof Failure && error.reason === "INVALID_KEY_NAME")) throw error;
        return refuse(error.message);
      }
      response.redirect(303, "/settings/keys?done=renamed");
    }),
  );
  return router;
}

function renamePage(
  key: Key,
  { typed, errors }: { typed?: string; errors: FormErrors },
  visit: Visit,
): Page {
  return { title: "Rename a key", body: renameView(key, { typed, errors }, visit) };
}
