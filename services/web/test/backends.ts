import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";

import { Peppers } from "@nutrition/auth/domain/pepper";
import type { RunningAuth } from "@nutrition/auth/service";
import { startAuth } from "@nutrition/auth/service";
import { Secret } from "@nutrition/core/secret";
import { silentLogger } from "@nutrition/core/logger";
import { readConfig as readJournalConfig } from "@nutrition/journal/config";
import { startJournal } from "@nutrition/journal/service";
import { readConfig as readLimitsConfig } from "@nutrition/limits/config";
import { startLimits } from "@nutrition/limits/service";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { createTestDatabase } from "@nutrition/postgres/testing";
import type { ServiceName, TestIdentity } from "@nutrition/rpc/testing";

import { FakeAnalysis } from "../../journal/test/fakes.ts";
import type { BackendAddresses } from "../src/clients/backends.ts";

/** The services behind the pages, each over a database of its own. */
export interface RunningBackends extends AsyncDisposable {
  readonly addresses: BackendAddresses;
  readonly databases: Readonly<Record<"auth" | "journal" | "limits", TestDatabase>>;
  /** Answers for the journal's writes, so that tests choose the figures. */
  readonly analysis: FakeAnalysis;
  /** Stops one of them, as an outage does. */
  stop(name: "auth" | "journal" | "limits"): Promise<void>;
}

export async function startBackends(
  identity: TestIdentity,
  redisUrl?: Secret,
): Promise<RunningBackends> {
  const resources = new AsyncDisposableStack();
  const [auth, journal, limits] = await Promise.all([
    createTestDatabase("auth", migrationsOf("auth")),
    createTestDatabase("journal", migrationsOf("journal")),
    createTestDatabase("limits", migrationsOf("limits")),
  ]);
  const databases = { auth, journal, limits };
  for (const database of Object.values(databases)) resources.use(database);
  const analysis = new FakeAnalysis();
  await analysis.start(identity);
  resources.use(analysis.server);
  const running = await startServices(identity, databases, {
    analysisAddress: analysis.server.address,
    redisUrl,
  });
  for (const service of Object.values(running)) resources.use(service);
  const { auth: a, journal: j, limits: l } = running;
  return {
    addresses: { auth: a.address, journal: j.address, limits: l.address },
    databases,
    analysis,
    stop: async (name) => running[name][Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function startServices(
  identity: TestIdentity,
  databases: RunningBackends["databases"],
  { analysisAddress, redisUrl }: { analysisAddress: string; redisUrl: Secret | undefined },
): Promise<Record<"auth" | "journal" | "limits", RunningAuth>> {
  const auth = await startAuth(
    {
      host: "127.0.0.1",
      port: 0,
      databaseUrl: new Secret(databases.auth.url),
      redisUrl,
      trustedKeys: identity.trustedKeys,
      peppers: new Peppers(new Map([[1, randomBytes(32)]]), 1),
    },
    { logger: silentLogger },
  );
  // Limits asks the journal only about reservations that a crash has left behind.
  const limitsConfig = readLimitsConfig({
    ...environmentOf(identity, "limits", databases.limits),
    JOURNAL_ADDRESS: "127.0.0.1:1",
  });
  const limits = await startLimits(limitsConfig, { logger: silentLogger });
  const journal = await startJournal(
    readJournalConfig({
      ...environmentOf(identity, "journal", databases.journal),
      LIMITS_ADDRESS: limits.address,
      ANALYSIS_ADDRESS: analysisAddress,
    }),
    { logger: silentLogger },
  );
  return { auth, journal, limits };
}

function environmentOf(identity: TestIdentity, service: ServiceName, { url }: TestDatabase) {
  return {
    RPC_HOST: "127.0.0.1",
    RPC_PORT: "0",
    DATABASE_URL: url,
    IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey(service)),
    IDENTITY_TRUSTED_KEYS: JSON.stringify(identity.trustedKeys),
  };
}

function migrationsOf(service: string): string {
  return fileURLToPath(new URL(`../../${service}/migrations`, import.meta.url));
}
