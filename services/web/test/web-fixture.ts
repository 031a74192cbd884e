import { randomBytes, randomUUID } from "node:crypto";

import { systemClock } from "@nutrition/core/clock";
import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { findFreePorts } from "@nutrition/test-support/ports";
import { sql } from "@nutrition/postgres/sql";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { InspectResponse } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { OperationsService } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import type { PersonOutcome } from "@nutrition/proto/nutrition/web/v1/web_pb";
import { WebService } from "@nutrition/proto/nutrition/web/v1/web_pb";
import { createClient } from "@nutrition/rpc/client";
import type { CallOptions, Client } from "@nutrition/rpc/service-definition";
import type { ServiceName, TestIdentity } from "@nutrition/rpc/testing";
import { testIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import type { OperatorAccess } from "@nutrition/service/config";
import type { RunningIdentity, SecuritySettings } from "@nutrition/test-support/identity-provider";
import { startIdentity } from "@nutrition/test-support/identity-provider";

import { insertSession } from "@nutrition/test-support/sessions";
import type { WebConfig } from "../src/config.ts";
import { startWeb } from "../src/service.ts";
import { SealedCookies } from "../src/sessions/sealed-cookies.ts";
import type { RunningBackends } from "./backends.ts";
import { startBackends } from "./backends.ts";
import { Browser } from "./browser.ts";
import { ProviderProxy } from "./provider-proxy.ts";

/** Key of the identity provider's administrator. */
export const ADMIN_KEY = new Secret("the-administrators-key");

/** Real time, but background work runs every 20 ms. */
export const impatientClock: Clock = {
  ...systemClock,
  sleep: (_, signal) => systemClock.sleep(20, signal),
};

/** Options of a call without a user. */
export const CALL: CallOptions = { timeoutMs: 5_000 };

/** A person with an account. */
export interface TestPerson {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
}

/** Clients of the services for one caller. */
export interface Callers {
  readonly auth: Client<typeof AuthService>;
  readonly journal: Client<typeof JournalService>;
  readonly limits: Client<typeof LimitsService>;
}

/** The pages over the real services, with their own databases. */
export interface WebFixture extends AsyncDisposable {
  readonly baseUrl: string;
  readonly backends: RunningBackends;
  /** Identity keys of all services. */
  readonly identity: TestIdentity;
  /** The identity provider, without users at first. */
  readonly provider: RunningIdentity;
  /** The proxy that all calls to the identity provider pass through. */
  readonly proxy: ProviderProxy;
  /** Calls the services as another of them, such as "admin", "gateway" or "web". */
  as(service: ServiceName): Callers;
  /** Creates an account, as an operator. */
  makePerson(options?: { hasPremium?: boolean; email?: string }): Promise<TestPerson>;
  /** A browser without cookies, in a network of its own. */
  visitor(): Browser;
  /** A browser in which the person is signed in; the identity provider does not know about it. */
  signIn(person: TestPerson): Promise<Browser>;
  /** Moves the sign-ins of the person, or of everybody, into the past. */
  ageSignIns(interval: string, person?: TestPerson): Promise<void>;
  /** Requests a new invitation as the operator; returns its link. */
  invite(email: string, caller?: ServiceName): Promise<string>;
  /** Finishes an erasure, as the operator asks for it. */
  finishErasure(accountId: string, caller?: ServiceName): Promise<PersonOutcome>;
  /** What the pages report about themselves to the operator. */
  inspect(): Promise<InspectResponse>;
  /** Another instance of the pages. */
  startAnother(
    config?: Partial<WebConfig>,
  ): Promise<{ readonly baseUrl: string; visitor(): Browser }>;
}

export interface WebFixtureOptions {
  clock?: Clock;
  logger?: Logger;
  config?: Partial<WebConfig>;
  /** Redis through which auth publishes ended sessions. */
  redisUrl?: Secret;
  /** Settings of the identity provider other than the documented ones. */
  security?: Partial<SecuritySettings>;
  /** Target of the links in the identity provider's mails. */
  mailLinksTo?: "provider" | "site";
  /** Whether the identity provider confirms addresses without a mail. */
  autoconfirm?: boolean;
  /** Mails that the identity provider sends in an hour. */
  mailsPerHour?: number;
}

export async function startWebFixture(options: WebFixtureOptions = {}): Promise<WebFixture> {
  const { clock = systemClock, logger = silentLogger } = options;
  const resources = new AsyncDisposableStack();
  const identity = await testIdentity();
  const backends = resources.use(await startBackends(identity, options.redisUrl));
  const [port = 0, proxyPort = 0] = await findFreePorts(2);
  const baseUrl = `http://127.0.0.1:${port}`;
  const proxy = resources.use(new ProviderProxy(proxyPort));
  await proxy.start();
  const authUrl = `http://127.0.0.1:${proxyPort}/auth/v1`;
  const provider = await startIdentity(
    {
      host: "127.0.0.1",
      port: 0,
      issuer: authUrl,
      siteUrl: baseUrl,
      allowedRedirects: [],
      users: [],
      adminKey: ADMIN_KEY,
      mailLinksTo: options.mailLinksTo,
      ...(options.security && { security: options.security }),
      autoconfirm: options.autoconfirm ?? false,
      ...(options.mailsPerHour !== undefined && { mailsPerHour: options.mailsPerHour }),
    },
    { clock, logger: silentLogger },
  );
  resources.use(provider);
  proxy.target = provider.address;
  const usual = configOf(identity, { backends, port, baseUrl, authUrl });
  const config = { ...usual, redisUrl: options.redisUrl, ...options.config };
  const { operatorAddress = "" } = resources.use(await startWeb(config, { clock, logger }));
  const { sessionKeys } = config;
  const authDatabase = backends.databases.auth.database;
  const as = (service: ServiceName) => callersOf(identity.issuer(service), backends, resources);
  const operatorTransport = (caller: ServiceName = "admin") => {
    const issuer = identity.issuer(caller);
    const transport = new UnaryTransport({ address: operatorAddress, service: "web", issuer });
    resources.defer(() => transport.close());
    return transport;
  };
  const operatorOf = (caller?: ServiceName) => createClient(WebService, operatorTransport(caller));
  const visitor = () => new Browser(baseUrl, nextNetwork());
  return {
    baseUrl,
    backends,
    identity,
    provider,
    proxy,
    as,
    visitor,
    async makePerson(choice) {
      const person = await makePerson(as("admin"), choice);
      await insertSession(authDatabase, { ...person, sessionId: person.accountId });
      return person;
    },
    async ageSignIns(interval, person) {
      await authDatabase.query(sql`
        update sessions set signed_in_at = signed_in_at - ${interval}::interval
        where ${person?.accountId ?? null}::uuid is null or account_id = ${person?.accountId ?? null}
      `);
    },
    async invite(email, caller) {
      return (await operatorOf(caller).invite({ email }, CALL)).link;
    },
    async finishErasure(accountId, caller) {
      return (await operatorOf(caller).finishErasure({ accountId }, CALL)).outcome;
    },
    async inspect() {
      return createClient(OperationsService, operatorTransport()).inspect({}, CALL);
    },
    async startAnother(changes) {
      const [otherPort = 0] = await findFreePorts(1);
      const other = { ...config, ...changes, port: otherPort };
      resources.use(await startWeb(other, { clock, logger }));
      const otherUrl = `http://127.0.0.1:${otherPort}`;
      return { baseUrl: otherUrl, visitor: () => new Browser(otherUrl, nextNetwork()) };
    },
    async signIn(person) {
      const browser = visitor();
      const cookies = new SealedCookies({ keys: sessionKeys, isHttps: false, clock });
      const value = sessionOf(person, clock);
      await insertSession(authDatabase, { ...person, sessionId: value.id });
      browser.cookies.set("nutrition-session.0", await cookies.seal(value, "session", 3_600));
      return browser;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

let networks = 0;

/** The address of another visitor, as the gateway states it. */
function nextNetwork(): Record<string, string> {
  networks += 1;
  return { "x-forwarded-for": `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}` };
}

interface TestDependencies {
  backends: RunningBackends;
  port: number;
  baseUrl: string;
  authUrl: string;
}

function configOf(
  identity: TestIdentity,
  { backends, port, baseUrl, authUrl }: TestDependencies,
): WebConfig {
  return {
    host: "127.0.0.1",
    port,
    baseUrl,
    authUrl,
    authApiKey: ADMIN_KEY,
    oauthAudience: "authenticated",
    signInProviders: ["google", "github"],
    sessionKeys: [new Secret(randomBytes(32).toString("base64url"))],
    backends: backends.addresses,
    identityPrivateKey: identity.privateKey("web") as WebConfig["identityPrivateKey"],
    operator: { host: "127.0.0.1", port: 0, trustedKeys: identity.trustedKeys } as OperatorAccess,
  };
}

function callersOf(
  issuer: ReturnType<TestIdentity["issuer"]>,
  { addresses }: RunningBackends,
  resources: AsyncDisposableStack,
): Callers {
  const transportTo = (address: string) => {
    const transport = new UnaryTransport({ address, issuer });
    resources.defer(() => transport.close());
    return transport;
  };
  return {
    auth: createClient(AuthService, transportTo(addresses.auth)),
    journal: createClient(JournalService, transportTo(addresses.journal)),
    limits: createClient(LimitsService, transportTo(addresses.limits)),
  };
}

async function makePerson(
  { auth }: Callers,
  { hasPremium = true, email = `${randomUUID()}@example.com` } = {},
): Promise<TestPerson> {
  const name = "Ada Lovelace";
  const { account } = await auth.createAccount({ email, name, hasPremium }, CALL);
  return { accountId: account!.id, email, name };
}

function sessionOf({ accountId, email, name }: TestPerson, clock: Clock) {
  const accessExpiresAt = Math.floor(clock.now().getTime() / 1_000) + 86_400;
  const tokens = { accessToken: "none", refreshToken: "none", accessExpiresAt };
  return { id: newId(), accountId, subject: accountId, email, name, ...tokens };
}

/** Options of a call for a person, in their initial session. */
export function asPerson({ accountId }: TestPerson): CallOptions {
  const user: UserIdentity = {
    accountId,
    credentialKind: "session",
    credentialId: accountId,
    scopes: [],
  };
  return { ...CALL, user };
}

/** Options of a call for a key of the person that may read and write. */
export function asKeyOf({ accountId }: TestPerson, keyId = newId()): CallOptions {
  const scopes = ["service.read", "nutrition.write"];
  return { ...CALL, user: { accountId, credentialKind: "api_key", credentialId: keyId, scopes } };
}
