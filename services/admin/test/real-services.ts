import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";

import { Peppers } from "@nutrition/auth/domain/pepper";
import { startAuth } from "@nutrition/auth/service";
import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import { readConfig as readJournalConfig } from "@nutrition/journal/config";
import { startJournal } from "@nutrition/journal/service";
import { readConfig as readLimitsConfig } from "@nutrition/limits/config";
import { startLimits } from "@nutrition/limits/service";
import { createTestDatabase } from "@nutrition/postgres/testing";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { testIdentity } from "@nutrition/rpc/testing";
import type { ServiceName, TestIdentity } from "@nutrition/rpc/testing";

const SERVICES = ["auth", "journal", "limits"] as const;

/** Auth, journal and limits as they are, each with its database. */
export interface RealServices extends AsyncDisposable {
  /** The environment that the command line finds them by. */
  environment: { [name: string]: string };
  databases: Record<(typeof SERVICES)[number], TestDatabase>;
  identity: TestIdentity;
}

export async function startRealServices(): Promise<RealServices> {
  const resources = new AsyncDisposableStack();
  const identity = await testIdentity();
  const open = async (service: ServiceName) => {
    const folder = fileURLToPath(new URL(`../../${service}/migrations`, import.meta.url));
    return resources.use(await createTestDatabase(service, folder));
  };
  const [auth, journal, limits] = [await open("auth"), await open("journal"), await open("limits")];
  const common = (service: ServiceName, { url }: TestDatabase) => ({
    RPC_HOST: "127.0.0.1",
    RPC_PORT: "0",
    DATABASE_URL: url,
    IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey(service)),
    IDENTITY_TRUSTED_KEYS: JSON.stringify(identity.trustedKeys),
  });
  const nowhere = "127.0.0.1:1";
  const limitsConfig = { ...common("limits", limits), JOURNAL_ADDRESS: nowhere };
  const runningLimits = resources.use(
    await startLimits(readLimitsConfig(limitsConfig), { logger: silentLogger }),
  );
  const addresses = { LIMITS_ADDRESS: runningLimits.address, ANALYSIS_ADDRESS: nowhere };
  const runningJournal = resources.use(
    await startJournal(readJournalConfig({ ...common("journal", journal), ...addresses }), {
      logger: silentLogger,
    }),
  );
  const authAddress = resources.use(await startRealAuth(identity, auth)).address;
  const environment = {
    AUTH_ADDRESS: authAddress,
    JOURNAL_ADDRESS: runningJournal.address,
    LIMITS_ADDRESS: runningLimits.address,
    IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey("admin")),
  };
  const databases = { auth, journal, limits };
  const dispose = () => resources.disposeAsync();
  return { environment, databases, identity, [Symbol.asyncDispose]: dispose };
}

/** Auth on its database. */
export function startRealAuth(identity: TestIdentity, { url }: TestDatabase) {
  const config = {
    host: "127.0.0.1",
    port: 0,
    databaseUrl: new Secret(url),
    trustedKeys: identity.trustedKeys,
    peppers: new Peppers(new Map([[1, randomBytes(32)]]), 1),
  } as const;
  return startAuth(config, { logger: silentLogger });
}
