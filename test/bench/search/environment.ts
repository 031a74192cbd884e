import { silentLogger } from "@nutrition/core/logger";
import { Database } from "@nutrition/postgres/database";
import { migrate } from "@nutrition/postgres/migrate";
import { ownerOf, provision } from "@nutrition/postgres/provision";
import { AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { createClient } from "@nutrition/rpc/client";
import { testIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import { readConfig } from "../../../services/analysis/src/config.ts";
import { startAnalysis } from "../../../services/analysis/src/service.ts";
import { startEnvironment } from "../edge/environment.ts";

const ROLE = { name: "analysis", password: "analysis", connectionLimit: 20, maintainsTables: true };
const MIGRATIONS = new URL("../../../services/analysis/migrations", import.meta.url).pathname;

/** The analysis service on an empty database, and that database. */
export async function startSearch() {
  const resources = new AsyncDisposableStack();
  const { databaseUrl, folder } = resources.use(await startEnvironment());
  await provision(databaseUrl("postgres"), [ROLE]);
  const url = new URL(databaseUrl("postgres"));
  url.username = ROLE.name;
  url.password = ROLE.password;
  const role = ownerOf(ROLE);
  await migrate({ url: databaseUrl("postgres"), role, schema: ROLE.name, folder: MIGRATIONS });
  const identity = await testIdentity();
  const config = readConfig({
    DATABASE_URL: url.href,
    IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey("analysis")),
    IDENTITY_TRUSTED_KEYS: JSON.stringify(identity.trustedKeys),
  });
  const { address } = resources.use(await startAnalysis(config, { logger: silentLogger }));
  const transport = new UnaryTransport({ address, issuer: identity.issuer("admin") });
  resources.defer(() => transport.close());
  const database = resources.use(
    new Database({ url: url.href, schema: ROLE.name, statementTimeoutMs: 600_000 }),
  );
  return {
    analysis: createClient(AnalysisService, transport),
    database,
    folder,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
