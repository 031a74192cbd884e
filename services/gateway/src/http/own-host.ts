import type { RequestHandler } from "express";

import { HttpRefusal } from "./refusal.ts";

export interface OwnHostOptions {
  /** Address at which people open the pages. */
  readonly baseUrl: string;
  /** Whether a Host header names this service. */
  readonly isOwnHost: (host: string | undefined) => boolean;
}

/**
 * Refuses pages under a foreign name: the browser has no session there, and another site may have pointed its
 * own name at this service (DNS rebinding). A trusted proxy may name the host in `X-Forwarded-Host`.
 */
export function onlyOwnHost({ baseUrl, isOwnHost }: OwnHostOptions): RequestHandler {
  const misdirected = new HttpRefusal(
    "invalid_request",
    `These pages are at ${baseUrl}. Open them there. If you run this service and people should reach it under the name that was just used, set BASE_URL to that address, or add the name to ALLOWED_HOSTS.`,
    { status: 421, reason: "misdirected_request" },
  );
  return (request, _response, next) => {
    next(isOwnHost(request.host) ? undefined : misdirected);
  };
}
