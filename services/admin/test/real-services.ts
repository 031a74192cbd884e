import type { TestDatabase } from "@nutrition/postgres/testing";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { Network } from "@nutrition/test-support/network";

/** Real auth, journal and limits services, each with its database. */
export interface RealServices extends AsyncDisposable {
  /** The environment that the command line finds them by. */
  environment: { [name: string]: string };
  databases: Record<"auth" | "journal" | "limits", TestDatabase>;
  identity: TestIdentity;
}

export async function startRealServices(): Promise<RealServices> {
  const network = await Network.open();
  for (const service of ["limits", "journal", "auth"] as const) await network.start(service);
  const [auth, journal, limits] = await Promise.all([
    network.database("auth"),
    network.database("journal"),
    network.database("limits"),
  ]);
  return {
    environment: network.operatorEnvironment,
    databases: { auth, journal, limits },
    identity: network.identity,
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  };
}
