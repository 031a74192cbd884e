import { systemClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import type { Express, Router } from "express";

import { createApp } from "../src/http/app.ts";
import { ProxyCheck } from "../src/http/proxy-check.ts";
import { RequestLog } from "../src/http/request-log.ts";

/** The app with only these routes. */
export function bareApp(routes: readonly Router[], trustProxyHops = 0): Express {
  return createApp({
    log: new RequestLog(silentLogger, systemClock),
    clock: systemClock,
    proxyCheck: new ProxyCheck(trustProxyHops, silentLogger, systemClock),
    trustProxyHops,
    isHttps: false,
    routes,
  });
}
