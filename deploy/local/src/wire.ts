import type { LocalConfig } from "./config.ts";
import type { ReportProgress } from "./fleet.ts";
import { choosePublicPort, localUrl } from "./ports.ts";
import type { Secrets } from "./secrets.ts";
import { issuerOf } from "./services.ts";
import type { Wiring } from "./wiring.ts";
import { RPC_SERVICES } from "./topology.ts";
import { chooseViewerPort } from "./viewer.ts";

export interface WireOptions {
  config: LocalConfig;
  say: ReportProgress;
  secrets: Secrets;
  /** As in `Wiring`. */
  identityRealm?: string | undefined;
  /** Administrator's address of the database. */
  databaseUrl: string;
  /** Folder of the built-in PostgreSQL's data; undefined for another server. */
  databaseFolder: string | undefined;
  /** Free loopback ports, for the services that only other services call. */
  innerPorts: readonly number[];
}

/** Chooses the public ports and addresses. */
export async function wire(options: WireOptions): Promise<Wiring> {
  const { config, say, innerPorts, ...rest } = options;
  const gateway = await choosePublicPort(config);
  if (gateway !== config.port.first) {
    say(`Port ${config.port.first} is in use by another program; using ${gateway}.`);
  }
  const baseUrl = config.baseUrl ?? localUrl(config.host, gateway);
  const hasIdentity = config.authUrl === undefined;
  const names = [...RPC_SERVICES, "web", ...(hasIdentity ? ["identity"] : [])];
  const ports = {
    ...Object.fromEntries(names.map((name, index) => [name, innerPorts[index]])),
    gateway,
  } as Wiring["ports"];
  const [gatewayRpc = 0, webRpc = 0] = innerPorts.slice(names.length);
  const operatorPorts = { gateway: gatewayRpc, web: webRpc };
  const viewerPort = config.observe ? await chooseViewerPort() : undefined;
  const authUrl = config.authUrl ?? issuerOf(baseUrl);
  const addresses = { baseUrl, authUrl, ports, operatorPorts, viewerPort };
  return { ...rest, config, ...addresses };
}
