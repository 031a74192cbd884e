import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import type { Express, Router } from "express";

import { createApp } from "../src/http/app.ts";
import { ProxyCheck } from "../src/http/proxy-check.ts";
import { RequestLog } from "../src/http/request-log.ts";

/** The app with only these routes. */
export function bareApp(
  routes: readonly Router[],
  trustProxyHops = 0,
  clock: Clock = systemClock,
): Express {
  return createApp({
    log: new RequestLog(silentLogger, clock),
    clock,
    proxyCheck: new ProxyCheck(trustProxyHops, silentLogger, clock),
    trustProxyHops,
    isHttps: false,
    routes: routes.map((router) => ({ path: "/", router })),
  });
}
