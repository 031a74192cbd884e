import type { Clock } from "@nutrition/core/clock";
import { countOf } from "@nutrition/core/count-of";
import type { Request, Response } from "express";
import { Router } from "express";
import { z } from "zod";

import { AddressLimit } from "../access/address-limit.ts";
import type { Authenticator } from "../access/authenticator.ts";
import type { AuthClient } from "../clients/auth-client.ts";
import { bodyReader, mediaTypeOf } from "../http/body.ts";
import { allowOnly } from "../http/method-not-allowed.ts";
import { HttpRefusal } from "../http/refusal.ts";
import { stateOf } from "../http/request-state.ts";
import { sendJson } from "../http/send.ts";

export const LEAK_REPORT_PATH = "/keys/report-leak";
/** Maximum number of reports per address and minute. */
export const LEAK_REPORTS_MAX = 10;

const BODY_MAX_KIB = 4;
const readBytes = bodyReader(BODY_MAX_KIB);

const leakReport = z.object({ key: z.string().min(1), found_at: z.string().default("") });

export interface LeakReportOptions {
  auth: Pick<AuthClient, "reportLeakedKey">;
  authenticator: Pick<Authenticator, "forgetKey">;
  clock: Clock;
}

/**
 * Revokes leaked API keys. Anyone may report one, because anyone who knows the whole key could use it anyway.
 * Every text that is not a live key gets the same response.
 */
export function leakReportRoutes({ auth, authenticator, clock }: LeakReportOptions): Router {
  const limit = new AddressLimit(LEAK_REPORTS_MAX, clock);
  const router = Router({ caseSensitive: true });
  router
    .route(LEAK_REPORT_PATH)
    .post(async (request, response) => {
      stateOf(response).route = LEAK_REPORT_PATH;
      assertRoom(limit.take(request.ip ?? ""));
      const { key, found_at: foundAt } = await readReport(request, response);
      const revoked = await auth.reportLeakedKey(key, foundAt);
      // Other instances learn of it through Redis, or within seconds.
      if (revoked) authenticator.forgetKey(key);
      response.setHeader("Cache-Control", "no-store");
      sendJson(response, JSON.stringify({ revoked }));
    })
    .all(allowOnly("POST", LEAK_REPORT_PATH));
  return router;
}

function assertRoom(waitSeconds: number): void {
  if (waitSeconds === 0) return;
  throw new HttpRefusal(
    "rate_limit_exceeded",
    `This address has sent ${LEAK_REPORTS_MAX} reports within a minute. Try again in ${countOf(waitSeconds, "second")}.`,
    { headers: { "Retry-After": String(waitSeconds) } },
  );
}

async function readReport(request: Request, response: Response) {
  const body = (await readBytes(request, response))?.toString() ?? "";
  const report = leakReport.safeParse(parse(mediaTypeOf(request), body));
  if (report.success) return report.data;
  throw new HttpRefusal(
    "invalid_request",
    'Send the key as JSON, {"key": "service_live_…"}, or as a form with the field key; found_at, where it was found, is optional text.',
  );
}

/** Undefined for a body that is neither JSON nor a form. */
function parse(mediaType: string, body: string): unknown {
  if (mediaType === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(body));
  }
  if (mediaType !== "application/json") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
