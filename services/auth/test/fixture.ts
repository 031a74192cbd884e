import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

import { ManualClock } from "@nutrition/core/clock";
import { KeySigner } from "@nutrition/core/key-signing";
import type { Logger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type { Database } from "@nutrition/postgres/database";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { createClient } from "@nutrition/rpc/client";
import type { CallOptions, Client } from "@nutrition/rpc/service-definition";
import type { ServiceName } from "@nutrition/rpc/testing";
import { testIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import { Peppers } from "../src/domain/pepper.ts";
import type { RunningAuth } from "../src/service.ts";
import { startAuth } from "../src/service.ts";
import { insertSession } from "../src/store/session-store.ts";

const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));

/** The service with its own database, and clients for each calling service. */
export interface Fixture extends AsyncDisposable {
  database: Database;
  clock: ManualClock;
  /** The service's log, one string per line. */
  logged: string[];
  gateway: Client<typeof AuthService>;
  web: Client<typeof AuthService>;
  admin: Client<typeof AuthService>;
  journal: Client<typeof AuthService>;
  /** Stops the service as SIGTERM does; the database stays. */
  stop(): Promise<void>;
}

export interface FixtureOptions {
  /** Redis that revocations are published to. */
  redisUrl?: Secret;
  /** Signing secrets; version 1 signs new keys. Without them (null), keys are unsigned. */
  signingSecrets?: ReadonlyMap<number, Buffer> | null;
  /** Replaces the service's usual database. */
  openDatabase?: (url: string) => Database;
}

export async function startFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { signingSecrets = new Map([[1, randomBytes(32)]]) } = options;
  const resources = new AsyncDisposableStack();
  const { url, database } = resources.use(await createTestDatabase("auth", MIGRATIONS));
  const identity = await testIdentity();
  const clock = new ManualClock(new Date());
  const logged: string[] = [];
  const running: RunningAuth = await startAuth(
    {
      host: "127.0.0.1",
      port: 0,
      databaseUrl: new Secret(url),
      redisUrl: options.redisUrl,
      trustedKeys: identity.trustedKeys,
      peppers: new Peppers(new Map([[1, randomBytes(32)]]), 1),
      keySigner: signingSecrets ? new KeySigner(signingSecrets, 1) : undefined,
    },
    {
      clock,
      logger: collectingLogger(logged),
      ...(options.openDatabase && { database: options.openDatabase(url) }),
    },
  );
  resources.use(running);
  const clientOf = (service: ServiceName) => {
    const issuer = identity.issuer(service);
    const transport = new UnaryTransport({ address: running.address, issuer });
    resources.defer(() => transport.close());
    return createClient(AuthService, transport);
  };
  return {
    database,
    clock,
    logged,
    gateway: clientOf("gateway"),
    web: clientOf("web"),
    admin: clientOf("admin"),
    journal: clientOf("journal"),
    async stop() {
      await running[Symbol.asyncDispose]();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function collectingLogger(lines: string[]): Logger {
  const write = (facts: object, message: string) => {
    lines.push(`${JSON.stringify(facts)} ${message}`);
  };
  return { debug: write, info: write, warn: write, error: write };
}

/** Options of a call without a user. */
export const CALL: CallOptions = { timeoutMs: 5_000 };

/**
 * Options of a call for a person signed in on the pages: in the session that `beginSession`
 * created, which is named like the account, or in the given one.
 */
export function asPerson(accountId: string, sessionId = accountId): CallOptions {
  return asUser({ accountId, credentialKind: "session", credentialId: sessionId, scopes: [] });
}

/** Begins a session of the account, named like the account unless an id is given. */
export async function beginSession(
  { database }: Fixture,
  accountId: string,
  sessionId = accountId,
): Promise<CallOptions> {
  await insertSession(database, { accountId, sessionId });
  return asPerson(accountId, sessionId);
}

export function asUser(user: UserIdentity): CallOptions {
  return { ...CALL, user };
}

export function someEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** Creates an account with a session, and returns its id. */
export async function makeAccount(
  fixture: Fixture,
  entitlements: { hasPremium?: boolean; isBetaTester?: boolean } = {},
): Promise<string> {
  const request = { email: someEmail(), ...entitlements };
  const { account } = await fixture.admin.createAccount(request, CALL);
  await beginSession(fixture, account!.id);
  return account!.id;
}

/** Creates a key that may read. */
export async function makeKey(
  { web }: Fixture,
  accountId: string,
): Promise<{ id: string; publicId: string; apiKey: string }> {
  const { apiKey, key } = await web.createKey({ scopes: ["service.read"] }, asPerson(accountId));
  return { id: key!.id, publicId: key!.publicId, apiKey };
}

/** An account with `count` active keys. */
export async function accountWithKeys(fixture: Fixture, count: number) {
  const accountId = await makeAccount(fixture);
  const keys = await Promise.all(Array.from({ length: count }, () => makeKey(fixture, accountId)));
  return { accountId, keys };
}

/** Ids of the account's active keys, newest first. */
export async function activeKeyIds({ web }: Fixture, accountId: string): Promise<string[]> {
  const { keys } = await web.listKeys({}, asPerson(accountId));
  return keys.map((key) => key.id);
}

/** How each key is answered now: "principal" or "refusal". */
export async function outcomesOf({ gateway }: Fixture, ...apiKeys: string[]) {
  const answers = await Promise.all(
    apiKeys.map((apiKey) => gateway.authenticate({ apiKey }, CALL)),
  );
  return answers.map(({ outcome }) => outcome.case);
}

/** The last 6 bytes of an id, in hexadecimal. */
export function tailOf(id: string): string {
  return id.slice(-12);
}

/** Such tails, from a page of changed keys. */
export function tailsIn(packed: Uint8Array): string[] {
  return Buffer.from(packed).toString("hex").match(/.{12}/g) ?? [];
}
