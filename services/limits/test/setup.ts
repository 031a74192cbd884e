import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { Secret } from "@nutrition/core/secret";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { createTestDatabase } from "@nutrition/postgres/testing";
import {
  LimitsService,
  MutationKind,
  SubjectKind,
} from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { createClient } from "@nutrition/rpc/client";
import type { CallContext } from "@nutrition/rpc/context";
import type { Client } from "@nutrition/rpc/service-definition";
import type { ServiceName, TestIdentity } from "@nutrition/rpc/testing";
import { testIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import { silentLogger } from "@nutrition/service/logger";
import { ageSubject } from "@nutrition/test-support/aging";

import type { LimitsConfig } from "../src/config.ts";
import { parsePolicyFile } from "../src/domain/policy-file.ts";
import { accountSubject } from "../src/domain/usage.ts";
import type { LimitsOverrides } from "../src/service.ts";
import { startLimits } from "../src/service.ts";

export const MIGRATIONS = fileURLToPath(new URL("../migrations", import.meta.url));
export const POLICY_FILE = fileURLToPath(new URL("../policies.json", import.meta.url));

/** The shipped limits. */
export const shippedPolicies = parsePolicyFile(readFileSync(POLICY_FILE, "utf8"));

/** Real time, but background work runs every 20 ms. */
export const impatientClock: Clock = {
  ...systemClock,
  sleep: (_, signal) => systemClock.sleep(20, signal),
};

/** A separate database, and the keys that services authenticate with. */
export interface Setting extends AsyncDisposable {
  test: TestDatabase;
  identity: TestIdentity;
}

export async function createSetting(): Promise<Setting> {
  const [test, identity] = await Promise.all([
    createTestDatabase("limits", MIGRATIONS),
    testIdentity(),
  ]);
  return { test, identity, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

/** One running instance and clients that call it as other services. */
export interface Instance extends AsyncDisposable {
  as(service: ServiceName): Client<typeof LimitsService>;
}

export async function startInstance(
  { test, identity }: Setting,
  changes: Partial<LimitsConfig> = {},
  overrides: LimitsOverrides = {},
): Promise<Instance> {
  const config: LimitsConfig = {
    RPC_HOST: "127.0.0.1",
    RPC_PORT: 0,
    DATABASE_URL: new Secret(test.url),
    IDENTITY_PRIVATE_KEY: identity.privateKey("limits") as LimitsConfig["IDENTITY_PRIVATE_KEY"],
    IDENTITY_TRUSTED_KEYS: identity.trustedKeys as LimitsConfig["IDENTITY_TRUSTED_KEYS"],
    JOURNAL_ADDRESS: "127.0.0.1:1",
    LIMITS_POLICY_FILE: POLICY_FILE,
    LIMITS_RESERVATION_HOLD_MS: 60_000,
    LIMITS_RETENTION_DAYS: 35,
    LIMITS_QUEUE_MAX: 4_096,
    policies: shippedPolicies,
    ...changes,
  };
  const running = await startLimits(config, {
    logger: silentLogger,
    ...overrides,
  });
  const transports: UnaryTransport[] = [];
  return {
    as(service) {
      const issuer = identity.issuer(service);
      const transport = new UnaryTransport({ address: running.address, issuer });
      transports.push(transport);
      return createClient(LimitsService, transport);
    },
    async [Symbol.asyncDispose]() {
      for (const transport of transports) transport.close();
      await running[Symbol.asyncDispose]();
    },
  };
}

/** A new user with an API key. */
export function newUser(): UserIdentity {
  const [accountId, credentialId] = [randomUUID(), randomUUID()];
  return { accountId, credentialKind: "api_key", credentialId, scopes: ["service.read"] };
}

/** Requests units for a request with the user's API key. */
export function countKey(client: Client<typeof LimitsService>, user: UserIdentity, cost = 1) {
  const request = {
    requestId: randomUUID(),
    subjectKind: SubjectKind.API_KEY,
    credentialId: user.credentialId,
    cost,
  };
  return client.count(request, { timeoutMs: 10_000, user });
}

/** The call of a user that a service handles, for calls that pass the user on. */
export function callOf({ identity }: Setting, user: UserIdentity): Promise<CallContext> {
  return identity.journalCall(user);
}

export interface Write {
  kind?: MutationKind;
  lines?: number;
  date?: string;
}

/** Requests units for a write, as the journal does; for a deletion by default. */
export function reserve(
  client: Client<typeof LimitsService>,
  call: CallContext,
  write: Write = {},
) {
  const request = {
    requestId: randomUUID(),
    kind: write.kind ?? MutationKind.DELETE,
    journalDate: write.date ?? "2026-11-21",
    createdLines: write.lines ?? 0,
    credentialId: "assistant",
    credentialKind: SubjectKind.CONNECTOR,
  };
  return client.reserve(request, { timeoutMs: 10_000, onBehalfOf: call });
}

/** A user who holds a reservation for one write, and queries about it. */
export async function holdRoom(setting: Setting, instance: Instance) {
  const user = newUser();
  const call = await callOf(setting, user);
  const journal = instance.as("journal");
  const { outcome } = await reserve(journal, call);
  if (outcome.case !== "reservation") throw new Error("The reservation was refused.");
  const { id } = outcome.value;
  const subject = accountSubject(user.accountId);
  const expire = () => ageSubject(setting.test.database, subject, 61);
  return { call, journal, id, subject, expire };
}
