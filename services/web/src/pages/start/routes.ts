import type { Router } from "express";
import express from "express";

import { undefinedIfUnavailable } from "../../clients/call-options.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { Sessions } from "../../sessions/session.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { startView } from "./view.ts";

/** The page for first-time visitors; redirects signed-in people to the journal. */
export function startPages({
  baseUrl,
  sessions,
}: PageDependencies & { sessions: Sessions }): Router {
  const router = express.Router({ caseSensitive: true });
  router.get("/", async (request, response) => {
    visitOf(response).route = "/";
    // Without the auth service, everybody sees the page.
    if (await undefinedIfUnavailable(sessions.find(request, response)))
      return response.redirect(303, "/journal");
    const body = startView(`${baseUrl}/mcp`);
    sendPage(response, undefined, {
      title: "Tell an assistant what you ate",
      body,
      scripts: ["copy.js"],
    });
  });
  return router;
}
