import { fileURLToPath } from "node:url";

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import { Secret } from "@nutrition/core/secret";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { sql } from "@nutrition/postgres/sql";
import { createTestDatabase } from "@nutrition/postgres/testing";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { JournalService, Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type {
  LogFoodRequestSchema,
  LogFoodResponse,
  WriteRefusal,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { createClient } from "@nutrition/rpc/client";
import type { CallOptions, Client } from "@nutrition/rpc/service-definition";
import { testIdentity } from "@nutrition/rpc/testing";
import type { ServiceName, TestIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import { silentLogger } from "@nutrition/service/logger";
import { FakeAnalysis, FakeLimits } from "@nutrition/test-support/fake-services";

import type { JournalConfig } from "../src/config.ts";
import type { JournalOverrides } from "../src/service.ts";
import { startJournal } from "../src/service.ts";

export const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));
const TIMEOUT_MS = 10_000;

/** A clock that runs in real time from a day of the test's choice. */
export class TestClock implements Clock {
  #now: Date;

  constructor(now: string) {
    this.#now = new Date(now);
  }

  now(): Date {
    return this.#now;
  }

  set(now: string): void {
    this.#now = new Date(now);
  }

  monotonicMs(): number {
    return systemClock.monotonicMs();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }
}

export interface JournalInstance extends AsyncDisposable {
  client(service: ServiceName): Client<typeof JournalService>;
}

/** A database, fakes of the services that the journal calls, and one instance of it. */
export interface Harness extends AsyncDisposable {
  db: TestDatabase;
  limits: FakeLimits;
  analysis: FakeAnalysis;
  clock: TestClock;
  journal: JournalInstance;
  /** Starts another instance on the same database. */
  start(overrides?: JournalOverrides): Promise<JournalInstance>;
}

export async function createHarness(now = "2026-11-21T12:00:00.000Z"): Promise<Harness> {
  const cleanup = new AsyncDisposableStack();
  const identity = await testIdentity();
  const db = cleanup.use(await createTestDatabase("journal", MIGRATIONS));
  const [limits, analysis] = [new FakeLimits(), new FakeAnalysis()];
  await Promise.all([limits.start(identity), analysis.start(identity)]);
  cleanup.use(limits.server);
  cleanup.use(analysis.server);
  const clock = new TestClock(now);
  const start = async (overrides: JournalOverrides = {}) => {
    const limitsAddress = limits.server.address;
    const addresses = { limitsAddress, analysisAddress: analysis.server.address };
    const config = configOf(identity, { url: db.url, ...addresses });
    const logger = silentLogger;
    return cleanup.use(
      instanceOf(identity, await startJournal(config, { clock, logger, ...overrides })),
    );
  };
  const journal = await start();
  const dispose = () => cleanup.disposeAsync();
  return { db, limits, analysis, clock, journal, start, [Symbol.asyncDispose]: dispose };
}

/** Database and services of an instance. */
export interface TestDependencies {
  url: string;
  limitsAddress: string;
  analysisAddress: string;
}

/** The configuration of an instance among the services of a test. */
export function configOf(
  identity: TestIdentity,
  { url, limitsAddress, analysisAddress }: TestDependencies,
): JournalConfig {
  return {
    host: "127.0.0.1",
    port: 0,
    databaseUrl: new Secret(url),
    identityPrivateKey: identity.privateKey("journal") as JournalConfig["identityPrivateKey"],
    identityTrustedKeys: identity.trustedKeys as JournalConfig["identityTrustedKeys"],
    limitsAddress,
    analysisAddress,
    duplicateWindowMs: 600_000,
  };
}

/** Clients of an instance, which is closed with them. */
export function instanceOf(
  identity: TestIdentity,
  running: AsyncDisposable & { address: string },
): JournalInstance {
  const transports = new Map<ServiceName, UnaryTransport>();
  let disposed: Promise<void> | undefined;
  return {
    client(service) {
      const { address } = running;
      const transport =
        transports.get(service) ??
        new UnaryTransport({ address, issuer: identity.issuer(service) });
      transports.set(service, transport);
      return createClient(JournalService, transport);
    },
    [Symbol.asyncDispose]() {
      for (const transport of transports.values()) transport.close();
      disposed ??= Promise.resolve(running[Symbol.asyncDispose]());
      return disposed;
    },
  };
}

/** A new person with a key that may write. */
export function newUser(): UserIdentity {
  return {
    accountId: newId(),
    credentialKind: "api_key",
    credentialId: newId(),
    scopes: ["service.read", "nutrition.write"],
  };
}

/** Options of a call for a user, or without one. */
export function as(user?: UserIdentity): CallOptions {
  return user ? { timeoutMs: TIMEOUT_MS, user } : { timeoutMs: TIMEOUT_MS };
}

/** The person behind the key, signed in on the pages. */
export function signedIn(user: UserIdentity): CallOptions {
  return as({ ...user, credentialKind: "session" });
}

/** Calls log_food through the gateway. */
export function logFood(
  journal: JournalInstance,
  user: UserIdentity,
  request: MessageInitShape<typeof LogFoodRequestSchema>,
): Promise<LogFoodResponse> {
  const complete = { origin: Origin.TOOL, requestId: newId(), ...request };
  return journal.client("gateway").logFood(complete, as(user));
}

/** The parsed JSON of bytes. */
export function parse(json: Uint8Array): any {
  return JSON.parse(Buffer.from(json).toString());
}

/** The reply of any write. */
type WriteResponse = Pick<LogFoodResponse, "outcome">;

/** The parsed result; fails the test on a refusal. */
export function resultOf({ outcome }: WriteResponse): any {
  if (outcome.case !== "result") throw new Error(`Refused: ${JSON.stringify(outcome.value)}`);
  return parse(outcome.value.json);
}

/** The refusal; fails the test on a result. */
export function refusalOf({ outcome }: WriteResponse): WriteRefusal {
  if (outcome.case !== "refusal") throw new Error("Not refused.");
  return outcome.value;
}

/** The day's summary as the gateway reads it. */
export async function readSummary(journal: JournalInstance, user: UserIdentity, date = "") {
  return parse((await journal.client("gateway").getSummary({ date }, as(user))).json);
}

/** Moves the end of every claim of the account into the past. */
export async function ageClaims(
  { db }: Pick<Harness, "db">,
  accountId: string,
  interval: string,
): Promise<void> {
  await db.database.query(sql`
    update claims set expires_at = expires_at - ${interval}::interval
    where account_id = ${accountId}`);
}
