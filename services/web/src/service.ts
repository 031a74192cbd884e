import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { TokenVerifier } from "@nutrition/oauth/token-verifier";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import { createLogger } from "@nutrition/service/logger";
import { repeat } from "@nutrition/service/repeat";
import type { Router } from "express";

import type { Backends } from "./clients/backends.ts";
import { connectBackends } from "./clients/backends.ts";
import type { WebConfig } from "./config.ts";
import { UpstreamDeletions } from "./connections/upstream-deletions.ts";
import { AccountPages } from "./http/account-page.ts";
import { createApp } from "./http/app.ts";
import { ProviderApi } from "./identity-provider/provider-api.ts";
import { connectionsPages } from "./pages/connections/routes.ts";
import { consentPages } from "./pages/consent/routes.ts";
import { journalPages } from "./pages/journal/routes.ts";
import { keysPages } from "./pages/keys/routes.ts";
import { profilePages } from "./pages/profile/routes.ts";
import { recoverPages } from "./pages/recover/routes.ts";
import { signInPages } from "./pages/sign-in/routes.ts";
import { ProviderSessions } from "./sessions/provider-sessions.ts";
import { SealedCookies } from "./sessions/sealed-cookies.ts";
import type { Person } from "./sessions/session.ts";
import { Sessions } from "./sessions/session.ts";
import { SignInFlows } from "./sessions/sign-in-flows.ts";
import { SignIns } from "./sessions/sign-ins.ts";

/** Replaces what tests need to control. */
export interface WebOverrides {
  clock?: Clock;
  logger?: Logger;
}

export interface RunningWeb extends AsyncDisposable {
  /** Where it listens, such as `127.0.0.1:3100`. */
  readonly address: string;
}

/** Between two looks for deletions that the identity provider has missed. */
const DELETIONS_PAUSE_MS = 10_000;
const SERVER_OPTIONS = {
  /** Longer than the gateway keeps its connections. */
  keepAliveTimeout: 75_000,
  /** A session in cookies is long when the person's profile at the provider is. */
  maxHeaderSize: 32_768,
};

/** Starts the pages. Disposing finishes what is in flight. */
export async function startWeb(
  config: WebConfig,
  overrides: WebOverrides = {},
): Promise<RunningWeb> {
  const issuer = new IdentityIssuer({
    service: "web",
    privateKey: config.identityPrivateKey,
    audiences: ["auth", "journal", "limits"],
  });
  await using resources = new AsyncDisposableStack();
  const backends = resources.use(connectBackends(config.backends, issuer));
  const logger = overrides.logger ?? createLogger({ service: "web", level: config.logLevel });
  const { clock = systemClock } = overrides;
  const parts = assemble({ config, backends, logger, clock });
  const finishDeletions = () => parts.deletions.finishDue();
  const deleting = { name: "upstream deletions", pauseMs: DELETIONS_PAUSE_MS, clock, logger };
  resources.use(repeat(finishDeletions, deleting));
  const app = createApp({ ...parts, routes: routesOf(parts) });
  const server = createServer(SERVER_OPTIONS, app);
  const address = await listen(server, config);
  resources.defer(() => close(server));
  const running = resources.move();
  return { address, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

interface Foundation {
  config: WebConfig;
  backends: Backends;
  logger: Logger;
  clock: Clock;
}

function assemble({ config, backends, logger, clock }: Foundation) {
  const { baseUrl, authUrl, authApiKey: apiKey, oauthAudience: audience } = config;
  const isHttps = baseUrl.startsWith("https:");
  const cookies = new SealedCookies({ keys: config.sessionKeys, isHttps, clock });
  const api = new ProviderApi({ authUrl, apiKey });
  const verifier = new TokenVerifier({ issuer: authUrl, audience, clock, logger });
  const providerSessions = new ProviderSessions({ api, verifier });
  const renew = providerSessions.renew.bind(providerSessions);
  const sessions = new Sessions({ cookies, renew, clock });
  const deletions = new UpstreamDeletions({ backends, api, seals: cookies });
  const onSignedIn = (person: Person) =>
    void deletions.finishOwn(person).catch((error: unknown) => {
      logger.warn({ err: error }, "upstream deletions are left for later");
    });
  return {
    api,
    backends,
    baseUrl,
    clock,
    cookies,
    deletions,
    logger,
    sessions,
    accountPages: new AccountPages(sessions),
    flows: new SignInFlows({ cookies, baseUrl }),
    signIns: new SignIns({ providerSessions, sessions, backends, onSignedIn }),
    thirdParties: config.signInProviders,
  };
}

function routesOf(parts: ReturnType<typeof assemble>): Router[] {
  return [
    signInPages(parts),
    recoverPages(parts),
    consentPages(parts),
    connectionsPages(parts),
    keysPages(parts),
    profilePages(parts),
    journalPages(parts),
  ];
}

function listen(server: Server, { host, port }: WebConfig): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const bound = server.address() as AddressInfo;
      resolve(`${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
