import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type { Secret } from "@nutrition/core/secret";
import { TokenVerifier } from "@nutrition/oauth/token-verifier";
import { subscribeToRevocations } from "@nutrition/redis/revocations";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import { createLogger } from "@nutrition/service/logger";
import type { Express } from "express";

import type { AccessTokenVerifier } from "./access/access-tokens.ts";
import { ConnectorTokens, noIdentityProvider } from "./access/access-tokens.ts";
import { Authenticator } from "./access/authenticator.ts";
import { Challenger } from "./access/challenge.ts";
import { CredentialCache } from "./access/credential-cache.ts";
import { RequestCounter } from "./access/request-counter.ts";
import type { Backends } from "./clients/backends.ts";
import { connectBackends } from "./clients/backends.ts";
import type { GatewayConfig } from "./config.ts";
import { createApp } from "./http/app.ts";
import { drain } from "./http/drain.ts";
import { leakReportRoutes } from "./http/leak-report.ts";
import { operatingRoutes } from "./http/operating-routes.ts";
import { pageRoutes } from "./http/page-routes.ts";
import { protectedResourceDocuments } from "./http/protected-resource.ts";
import { Readiness } from "./http/readiness.ts";
import { restRoutes } from "./http/rest-routes.ts";
import { documentRoutes } from "./http/static-documents.ts";
import { Dispatcher } from "./mcp/dispatcher.ts";
import { mcpRoutes } from "./mcp/endpoint.ts";
import { SiteCheck } from "./mcp/site-check.ts";
import { createReadTools } from "./mcp/tools/read-tools.ts";
import { createWriteTools } from "./mcp/tools/write-tools.ts";
import { referenceDocuments } from "./openapi/reference-documents.ts";
import { createReads } from "./reads.ts";

export interface GatewayOverrides {
  clock?: Clock;
  logger?: Logger;
}

export interface RunningGateway extends AsyncDisposable {
  /** Where it listens, such as `127.0.0.1:3000`. */
  readonly address: string;
  /** The same as a base for requests, such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

/** Times that bound what a slow client can hold. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time of usual load balancers, so that they never meet a closed connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_MAX = 10_000;
/** As much as the pages take: a session lives in cookies, and what is asked for stands beside it. */
const HEADERS_MAX_BYTES = 32_768;

/** Starts the edge of the service. Disposing finishes what is in flight. */
export async function startGateway(
  config: GatewayConfig,
  overrides: GatewayOverrides = {},
): Promise<RunningGateway> {
  const { clock = systemClock } = overrides;
  const logger = overrides.logger ?? createLogger({ service: "gateway", level: config.logLevel });
  await using resources = new AsyncDisposableStack();
  const issuer = new IdentityIssuer({
    service: "gateway",
    privateKey: config.identity.privateKey,
    // The journal passes its statements on to limits and analysis.
    audiences: ["auth", "journal", "limits", "analysis"],
  });
  const backends = resources.use(connectBackends(config.backends, issuer));
  const readiness = new Readiness(backends, clock);
  const cache = new CredentialCache(clock);
  if (config.redisUrl) resources.use(dropRevoked(cache, config.redisUrl, logger));
  const app = assemble(config, { clock, logger, backends, readiness, cache });
  const server = createServer(
    {
      // A second Authorization header then makes the credential malformed instead of being ignored.
      joinDuplicateHeaders: true,
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    app,
  );
  server.maxConnections = CONNECTIONS_MAX;
  const address = await listen(server, config);
  const running = resources.move();
  return {
    address,
    url: `http://${address}`,
    async [Symbol.asyncDispose]() {
      readiness.stop();
      await drain(server);
      await running.disposeAsync();
    },
  };
}

/** Lets revocations be seen at once instead of within seconds. */
function dropRevoked(cache: CredentialCache, url: Secret, logger: Logger): AsyncDisposable {
  return subscribeToRevocations({
    url,
    logger,
    onRevoked: (revoked) => cache.drop(revoked),
    onGap: () => cache.clear(),
  });
}

interface Parts {
  clock: Clock;
  logger: Logger;
  backends: Backends;
  readiness: Readiness;
  cache: CredentialCache;
}

function assemble(config: GatewayConfig, parts: Parts): Express {
  const { clock, logger, backends, readiness, cache } = parts;
  const { baseUrl, authUrl, webUrl } = config;
  const authenticator = new Authenticator({
    auth: backends.auth,
    accessTokens: accessTokensOf(config, parts),
    challenger: new Challenger(baseUrl),
    cache,
  });
  const admission = { authenticator, counter: new RequestCounter(backends.limits) };
  const reads = createReads(backends);
  const tools = [...createWriteTools(backends.journal), ...createReadTools(reads)];
  const definitions = tools.map(({ definition }) => definition);
  const documents = [
    ...referenceDocuments({ baseUrl, authUrl, tools: definitions }),
    ...protectedResourceDocuments(baseUrl, authUrl),
  ];
  return createApp({
    logger,
    clock,
    trustProxyHops: config.trustProxyHops,
    isHttps: baseUrl.startsWith("https:"),
    routes: [
      restRoutes(reads, admission),
      mcpRoutes({ admission, dispatcher: new Dispatcher(tools), siteCheck: new SiteCheck(config) }),
      operatingRoutes(readiness),
      leakReportRoutes({ auth: backends.auth, authenticator, clock }),
      documentRoutes(documents, webUrl === undefined ? "/docs" : "/journal"),
      ...(webUrl === undefined ? [] : [pageRoutes(webUrl)]),
    ],
  });
}

function accessTokensOf(
  { authUrl: issuer, oauthAudience: audience }: GatewayConfig,
  { clock, logger, backends }: Parts,
): AccessTokenVerifier {
  if (issuer === undefined) return noIdentityProvider;
  const tokens = new TokenVerifier({ issuer, audience, clock, logger });
  tokens.warm();
  return new ConnectorTokens(tokens, backends.auth);
}

function listen(server: Server, { host, port }: GatewayConfig): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const bound = server.address() as AddressInfo;
      resolve(
        bound.family === "IPv6"
          ? `[${bound.address}]:${bound.port}`
          : `${bound.address}:${bound.port}`,
      );
    });
  });
}
