import type { Secret } from "@nutrition/core/secret";
import type { TestDatabase } from "@nutrition/postgres/testing";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { FakeAnalysis } from "@nutrition/test-support/fake-services";
import { Network } from "@nutrition/test-support/network";

import type { BackendAddresses } from "../src/clients/backends.ts";

/** The services behind the pages, each with its own database. */
export interface RunningBackends extends AsyncDisposable {
  readonly addresses: BackendAddresses;
  readonly databases: Readonly<Record<"auth" | "journal" | "limits", TestDatabase>>;
  /** Replaces the journal's analysis, so that tests determine the figures. */
  readonly analysis: FakeAnalysis;
  /** Stops one of them, to simulate an outage. */
  stop(name: "auth" | "journal" | "limits"): Promise<void>;
}

export async function startBackends(
  identity: TestIdentity,
  redisUrl?: Secret,
): Promise<RunningBackends> {
  const resources = new AsyncDisposableStack();
  const network = resources.use(await Network.open(identity));
  const analysis = new FakeAnalysis();
  await analysis.start(identity);
  resources.use(analysis.server);
  const [authDb, journalDb, limitsDb] = await Promise.all([
    network.database("auth"),
    network.database("journal"),
    network.database("limits"),
  ]);
  const redis = redisUrl ? { REDIS_URL: redisUrl.reveal() } : {};
  const auth = await network.start("auth", redis);
  const limits = await network.start("limits");
  const journal = await network.start("journal", { ANALYSIS_ADDRESS: analysis.server.address });
  const running = { auth, journal, limits };
  return {
    addresses: { auth: auth.address, journal: journal.address, limits: limits.address },
    databases: { auth: authDb, journal: journalDb, limits: limitsDb },
    analysis,
    stop: async (name) => running[name][Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
