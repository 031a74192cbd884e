import { networkOf } from "@nutrition/core/network";
import type { Request, Response, Router } from "express";
import express from "express";

import { undefinedIfUnavailable } from "../../clients/call-options.ts";
import { Attempts } from "../../domain/attempts.ts";
import { formField } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import { visitOf } from "../../http/visit.ts";
import type { Sessions } from "../../sessions/session.ts";
import type { FormErrors } from "../form-errors.ts";
import { doneNotice } from "../notice.ts";
import type { PageDependencies } from "../page-dependencies.ts";
import { LEAK_REPORT_ROUTE, leakReportView } from "./view.ts";

const REPORT_TIMEOUT_MS = 5_000;
/** The same rate as for `POST /keys/report-leak`. */
const PER_NETWORK = { max: 10, windowMs: 60_000 };
const TOO_MANY = "Too many reports from your network. Try again in a minute.";

const NOTICES = {
  ended: "Thank you. The key has ended. Whatever used it stops working within seconds.",
  unknown: "No working key has this text. It may be incomplete, or the key has ended already.",
};

/**
 * The page on which anybody can report a leaked key. It needs no authentication: whoever has a key could use
 * it anyway.
 */
export function leakReportPages({
  backends,
  sessions,
  clock,
}: PageDependencies & { sessions: Sessions }): Router {
  const attempts = new Attempts(PER_NETWORK);
  const router = express.Router({ caseSensitive: true });
  const show = async (
    request: Request,
    response: Response,
    { errors, status }: { errors: FormErrors; status: number },
  ) => {
    const person = await undefinedIfUnavailable(sessions.find(request, response));
    const notice = doneNotice(request, NOTICES);
    const body = leakReportView({ notice, errors }, visitOf(response));
    sendPage(response, person, { title: "Report a leaked key", body, status });
  };
  router.get(LEAK_REPORT_ROUTE, async (request, response) => {
    visitOf(response).route = LEAK_REPORT_ROUTE;
    await show(request, response, { errors: {}, status: 200 });
  });
  router.post(LEAK_REPORT_ROUTE, async (request, response) => {
    visitOf(response).route = LEAK_REPORT_ROUTE;
    const apiKey = formField(request, "api_key");
    const refuse = (message: string, status: number) =>
      show(request, response, { errors: { api_key: message }, status });
    if (apiKey === "") return refuse("Paste the key.", 400);
    if (!attempts.allow(networkOf(request.ip ?? ""), clock.monotonicMs()))
      return refuse(TOO_MANY, 429);
    const report = { apiKey, foundAt: formField(request, "found_at") };
    const { revoked } = await backends.auth.reportLeakedKey(report, {
      timeoutMs: REPORT_TIMEOUT_MS,
    });
    response.redirect(303, `${LEAK_REPORT_ROUTE}?done=${revoked ? "ended" : "unknown"}`);
  });
  return router;
}
