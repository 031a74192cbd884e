import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger, silentLogger } from "@nutrition/core/logger";
import { redisInspection } from "@nutrition/redis/redis-inspection";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import type { RpcServer } from "@nutrition/rpc/server";
import { openTls } from "@nutrition/rpc/tls-files";
import type { TlsFiles } from "@nutrition/rpc/tls-files";
import { serveInspection } from "@nutrition/service/inspection";
import { listen } from "@nutrition/service/listen";
import type { ReadinessDetails } from "@nutrition/service/operations-server";
import type { Express } from "express";
import { Router } from "express";

import { Admission } from "./access/admission.ts";
import { createAuthenticator } from "./access/create-authenticator.ts";
import { Refunds } from "./access/refunds.ts";
import { RequestCounter } from "./access/request-counter.ts";
import type { Backends } from "./clients/backends.ts";
import { connectBackends } from "./clients/backends.ts";
import type { GatewayConfig } from "./config.ts";
import { BaseAddress } from "./domain/base-address.ts";
import { createApp, messageClassesOf } from "./http/app.ts";
import { admitConnections } from "./http/connections.ts";
import { crossOrigin } from "./http/cross-origin.ts";
import { drain } from "./http/drain.ts";
import { onlyOwnHost } from "./http/own-host.ts";
import { identityRoutes } from "./routes/identity-routes.ts";
import { leakReportRoutes } from "./routes/leak-report.ts";
import { operatingRoutes } from "./routes/operating-routes.ts";
import { pageRoutes } from "./routes/page-routes.ts";
import { PAGE_TURNS, PageTurns } from "./routes/page-turns.ts";
import { PROTECTED_RESOURCE_PATHS, protectedResourceRoutes } from "./routes/protected-resource.ts";
import { ProxyCheck } from "./http/proxy-check.ts";
import { reportProxyTrust } from "./domain/proxy-trust.ts";
import { Readiness } from "./routes/readiness.ts";
import { RequestLog } from "./http/request-log.ts";
import { REST_BASE, restRoutes } from "./routes/rest-routes.ts";
import { createHttpServer } from "./http/server.ts";
import { discoveryDocuments } from "./discovery/discovery-documents.ts";
import { documentRoutes, homeRoute } from "./routes/static-documents.ts";
import { Dispatcher } from "./mcp/dispatcher.ts";
import { mcpRoutes } from "./mcp/endpoint.ts";
import { OriginGuard } from "./mcp/origin-guard.ts";
import { createTool } from "./mcp/tools/tool.ts";
import { TOOL_OPERATIONS } from "./operations/operations.ts";
import { docsDocuments } from "./docs/documents.ts";

export interface GatewayOverrides {
  clock?: Clock;
  logger?: Logger;
}

export interface RunningGateway extends AsyncDisposable {
  /** Address it listens on, such as `127.0.0.1:3000`. */
  readonly address: string;
  /** The same as a base URL, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Undefined without an operator's port. */
  readonly operatorAddress: string | undefined;
  /** What the operations port adds to the readiness. */
  readonly details: () => ReadinessDetails;
}

/** Starts the gateway. Disposing finishes requests in flight. */
export async function startGateway(
  config: GatewayConfig,
  overrides: GatewayOverrides = {},
): Promise<RunningGateway> {
  const { clock = systemClock, logger = silentLogger } = overrides;
  await using resources = new AsyncDisposableStack();
  const issuer = new IdentityIssuer({
    service: "gateway",
    privateKey: config.identity.privateKey,
  });
  const tls = resources.use(openTls(config.internalTls, logger));
  const backends = resources.use(connectBackends(config.backends, { issuer, tls }));
  const proxyCheck = new ProxyCheck(config.trustProxyHops, logger, clock);
  const readiness = new Readiness({ backends, proxyCheck, clock });
  const log = resources.use(new RequestLog(moduleLogger(logger, "requests"), clock));
  const parts = { clock, logger, log, tls, backends, proxyCheck, readiness, resources };
  const app = assemble(config, parts);
  const operator = resources.use(await serveOperator(config, { tls, clock, logger, readiness }));
  const server = createHttpServer(app, log, { messages: messageClassesOf(app) });
  admitConnections(server, { isProxied: config.trustProxyHops > 0, clock, log });
  reportProxyTrust(config.proxyTrust, logger);
  // Otherwise the first requests after every roll-out would wait for TLS handshakes.
  await backends.connect();
  const address = await listen(server, config);
  const running = resources.move();
  return {
    address,
    url: `http://${address}`,
    operatorAddress: operator?.address,
    details: () => ({ ...readiness.details() }),
    async [Symbol.asyncDispose]() {
      readiness.stop();
      await drain(server, config.leaveMs);
      await running.disposeAsync();
    },
  };
}

async function serveOperator(
  { operator: access, redisUrl }: GatewayConfig,
  { tls, clock, logger, readiness }: Pick<Parts, "tls" | "clock" | "logger" | "readiness">,
): Promise<RpcServer | undefined> {
  const edge = () => readiness.inspect();
  const inspected = { service: "gateway", clock, tls, redis: redisInspection(redisUrl), edge };
  return access && (await serveInspection(inspected, { access, logger }));
}

interface Parts {
  clock: Clock;
  logger: Logger;
  log: RequestLog;
  tls: TlsFiles | undefined;
  backends: Backends;
  proxyCheck: ProxyCheck;
  readiness: Readiness;
  /** Collects what must be closed with the service. */
  resources: AsyncDisposableStack;
}

function assemble(config: GatewayConfig, parts: Parts): Express {
  const { clock, logger, log, tls, backends, proxyCheck, readiness, resources } = parts;
  const { baseUrl, authUrl, webUrl } = config;
  const { auth } = backends;
  const baseAddress = new BaseAddress(baseUrl);
  const authenticator = createAuthenticator(config, {
    baseAddress,
    auth,
    clock,
    logger,
    resources,
  });
  const counter = new RequestCounter(backends.limits, clock);
  const refunds = new Refunds(backends.limits, logger);
  const admission = new Admission({ authenticator, counter, refunds }, clock);
  const tools = TOOL_OPERATIONS.map((operation) => createTool(operation, backends));
  const site = { baseUrl, support: config.support ?? `whoever runs ${baseUrl}` };
  const documents = [
    ...docsDocuments({ baseUrl, authUrl, policyFile: config.limitsPolicyFile }),
    ...discoveryDocuments({ site, ...config }),
  ];
  const originGuard = new OriginGuard(config);
  const isOwnHost = (host: string | undefined) => originGuard.isOwnHost(host);
  const isOriginAllowed = (origin: string) => originGuard.isOriginAllowed(origin);
  const turns = new PageTurns(PAGE_TURNS);
  const metadata = Router().use(
    PROTECTED_RESOURCE_PATHS,
    crossOrigin({ isOriginAllowed, methods: "GET, HEAD" }),
  );
  const routers = [
    mcpRoutes({ admission, dispatcher: new Dispatcher(tools, site), originGuard }),
    operatingRoutes(readiness),
    leakReportRoutes({ auth, authenticator, clock }),
    metadata,
    protectedResourceRoutes(baseAddress, authUrl),
    documentRoutes(documents),
    ...(config.identityUrl === undefined
      ? []
      : [
          identityRoutes(config.identityUrl, {
            turns,
            assertOwnHost: ({ headers }) => originGuard.assertOwnHost(headers),
          }),
        ]),
    webUrl === undefined
      ? homeRoute("/docs")
      : pageRoutes(webUrl, { tls, turns, assertHost: onlyOwnHost({ baseUrl, isOwnHost }) }),
  ];
  return createApp({
    log,
    clock,
    proxyCheck,
    trustProxyHops: config.trustProxyHops,
    isHttps: baseUrl.startsWith("https:"),
    routes: [
      { path: REST_BASE, router: restRoutes(backends, admission) },
      ...routers.map((router) => ({ path: "/", router })),
    ],
  });
}
