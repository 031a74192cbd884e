import type { Server } from "node:http";

import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import { createServer } from "@nutrition/core/node-http";
import { redisInspection } from "@nutrition/redis/redis-inspection";
import { subscribeToRevocations } from "@nutrition/redis/revocations";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import type { RpcServer, ServiceBinding } from "@nutrition/rpc/server";
import type { TlsFiles } from "@nutrition/rpc/tls-files";
import { openTls } from "@nutrition/rpc/tls-files";
import { serveInspection } from "@nutrition/service/inspection";
import { listen } from "@nutrition/service/listen";
import type { Router } from "express";

import { startBackground } from "./background.ts";
import type { Backends } from "./clients/backends.ts";
import { connectBackends } from "./clients/backends.ts";
import type { WebConfig } from "./config.ts";
import { UpstreamDeletions } from "./connections/upstream-deletions.ts";
import { Erasures } from "./erasures/erasures.ts";
import type { Announce } from "./http/account-page.ts";
import { AccountPages } from "./http/account-page.ts";
import { Admission } from "./http/admission.ts";
import { createApp } from "./http/app.ts";
import type { IdentityProvider } from "./identity-provider/identity-provider.ts";
import { SupabaseAuth } from "./identity-provider/supabase/supabase-auth.ts";
import { SealedLinks } from "./mails/sealed-links.ts";
import { accessPages } from "./pages/access/routes.ts";
import { connectionsPages } from "./pages/connections/routes.ts";
import { consentPages } from "./pages/consent/routes.ts";
import { announceErasure, erasePages } from "./pages/erase/routes.ts";
import { exportPages } from "./pages/export/routes.ts";
import { journalPages } from "./pages/journal/routes.ts";
import { keysPages } from "./pages/keys/routes.ts";
import { leakReportPages } from "./pages/leak-report/routes.ts";
import { profilePages } from "./pages/profile/routes.ts";
import { recoverPages } from "./pages/recover/routes.ts";
import { signInMethodPages } from "./pages/sign-in-methods/routes.ts";
import { startPages } from "./pages/start/routes.ts";
import { SignInNotices } from "./pages/sign-in-methods/sign-in-notices.ts";
import { KnownDevices } from "./pages/sign-in/known-devices.ts";
import { signInPages } from "./pages/sign-in/routes.ts";
import { MAIL_LIMITS, VisitorAttempts } from "./pages/sign-in/visitor-attempts.ts";
import { operatorBinding } from "./rpc/operator.ts";
import { FormDrafts } from "./sessions/form-drafts.ts";
import { OpenedLinks } from "./sessions/opened-links.ts";
import { SealedCookies } from "./sessions/sealed-cookies.ts";
import { SessionChecks } from "./sessions/session-checks.ts";
import type { Person } from "./clients/person.ts";
import { Sessions } from "./sessions/session.ts";
import { SignInFlows } from "./sessions/sign-in-flows.ts";
import { SignIns } from "./sessions/sign-ins.ts";

/** Dependencies that tests replace. */
export interface WebOverrides {
  clock?: Clock;
  logger?: Logger;
}

export interface RunningWeb extends AsyncDisposable {
  /** Address it listens on, such as `127.0.0.1:3100`. */
  readonly address: string;
  /** Undefined without an operator's port. */
  readonly operatorAddress: string | undefined;
}

const SERVER_OPTIONS = {
  /** Gateways send whole requests. Nothing is held for one that is still arriving. */
  requestTimeout: 30_000,
  /** Longer than the gateway keeps its connections. */
  keepAliveTimeout: 75_000,
  /** The person's profile at the provider determines the size of a session's cookies. */
  maxHeaderSize: 32_768,
};

/** Starts the pages. Disposing finishes visits in progress. */
export async function startWeb(
  config: WebConfig,
  overrides: WebOverrides = {},
): Promise<RunningWeb> {
  const { clock = systemClock, logger = silentLogger } = overrides;
  const issuer = new IdentityIssuer({ service: "web", privateKey: config.identityPrivateKey });
  await using resources = new AsyncDisposableStack();
  const tls = resources.use(openTls(config.internalTls, logger));
  const backends = resources.use(connectBackends(config.backends, { issuer, tls }));
  const checks = new SessionChecks(backends.auth, clock);
  if (config.redisUrl) {
    const onRevoked = checks.drop.bind(checks);
    const onGap = checks.clear.bind(checks);
    const subscription = { url: config.redisUrl, logger, onRevoked, onGap };
    resources.use(subscribeToRevocations(subscription));
  }
  const parts = assemble({ config, backends, logger, clock, checks, resources });
  await startBackground(parts, config.mail, resources);
  const bindings = [operatorBinding(parts)];
  const { provider } = parts;
  const port = { tls, clock, logger, bindings, provider };
  const operator = resources.use(await serveOperator(config, port));
  const app = createApp({ ...parts, routes: routesOf(parts) });
  const server = tls ? tls.httpsServer(SERVER_OPTIONS, app) : createServer(SERVER_OPTIONS, app);
  const address = await listen(server, config);
  resources.defer(() => close(server));
  const running = resources.move();
  return {
    address,
    operatorAddress: operator?.address,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function serveOperator(
  { operator: access, redisUrl }: WebConfig,
  { tls, clock, logger, bindings, provider }: OperatorPort,
): Promise<RpcServer | undefined> {
  const mailQuotaRefusedAt = () => provider.mailQuotaRefusedAt;
  const redis = redisInspection(redisUrl);
  const inspected = { service: "web", clock, tls, redis, mailQuotaRefusedAt };
  return access && (await serveInspection(inspected, { access, logger, bindings }));
}

interface OperatorPort {
  tls: TlsFiles | undefined;
  clock: Clock;
  logger: Logger;
  bindings: readonly ServiceBinding[];
  provider: Pick<IdentityProvider, "mailQuotaRefusedAt">;
}

interface Foundation {
  config: WebConfig;
  backends: Backends;
  logger: Logger;
  clock: Clock;
  checks: SessionChecks;
  /** Collects what must be closed with the service. */
  resources: AsyncDisposableStack;
}

function assemble({ config, backends, logger, clock, checks, resources }: Foundation) {
  const { baseUrl, authUrl, identityRealm: realm } = config;
  const { authApiKey: apiKey, oauthAudience: audience } = config;
  const sendsMail = config.mail !== undefined;
  const isHttps = baseUrl.startsWith("https:");
  const cookies = new SealedCookies({ keys: config.sessionKeys, isHttps, clock });
  const callUrl = config.authInternalUrl ?? authUrl;
  const provider = resources.use(
    new SupabaseAuth({ authUrl, callUrl, realm, apiKey, audience, clock, logger }),
  );
  const sessions = new Sessions({ cookies, provider, auth: backends.auth, checks, clock });
  const signInNotices = new SignInNotices({ backends, cookies, provider });
  const admission = new Admission();
  const devices = new KnownDevices(cookies);
  const announceEnd = announceErasure({ backends });
  const announce: Announce = async (...visit) => {
    await Promise.all([signInNotices.announce(...visit), announceEnd(...visit)]);
  };
  const deletions = new UpstreamDeletions({ backends, provider, seals: cookies });
  const onSignedIn = (person: Person) =>
    void deletions.finishOwn(person).catch((error: unknown) => {
      logger.warn({ err: error }, "upstream deletions postponed");
    });
  return {
    backends,
    baseUrl,
    clock,
    cookies,
    devices,
    mailRequests: new VisitorAttempts({ clock, devices }, MAIL_LIMITS),
    openedLinks: new OpenedLinks(cookies),
    deletions,
    drafts: new FormDrafts(cookies),
    erasures: new Erasures({ backends, provider, sendMail: sendsMail, clock, logger }),
    links: new SealedLinks(cookies),
    logger,
    provider,
    sessions,
    signInNotices,
    announce,
    accountPages: new AccountPages({ sessions, admission, announce }),
    sendsMail,
    admission,
    flows: new SignInFlows({ cookies, baseUrl }),
    signIns: new SignIns({ sessions, backends, onSignedIn }),
    thirdParties: config.signInProviders,
  };
}

function routesOf(parts: ReturnType<typeof assemble>): Router[] {
  return [
    signInPages(parts),
    recoverPages(parts),
    consentPages(parts),
    connectionsPages(parts),
    accessPages(parts),
    keysPages(parts),
    leakReportPages(parts),
    profilePages(parts),
    signInMethodPages(parts),
    exportPages(parts),
    erasePages(parts),
    journalPages(parts),
    startPages(parts),
  ];
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
