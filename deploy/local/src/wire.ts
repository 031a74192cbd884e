import { chooseIdentityPort, findKeptPort, issuerAt } from "./identity-port.ts";
import { choosePublicPort, localUrl } from "./ports.ts";
import type { Secrets } from "./secrets.ts";
import { RPC_SERVICES, type Wiring } from "./services.ts";
import type { Start } from "./start.ts";

export interface WireOptions {
  secrets: Secrets;
  /** Administrator's address of the database. */
  databaseUrl: string;
  /** Free ports of the loopback address, for the services that only others call. */
  innerPorts: readonly number[];
}

/** Chooses the public ports and addresses. */
export async function wire(start: Start, given: WireOptions): Promise<Wiring> {
  const { config, folder, say } = start;
  const { innerPorts, ...rest } = given;
  const kept = config.authUrl === undefined ? await findKeptPort(folder) : undefined;
  const gateway = await choosePublicPort(config, kept);
  if (gateway !== config.port.first) {
    say(`Port ${config.port.first} is in use by another program; taking ${gateway}.`);
  }
  const baseUrl = config.baseUrl ?? localUrl(config.host, gateway);
  const names = [...RPC_SERVICES, "web"];
  const ports = {
    ...Object.fromEntries(names.map((name, index) => [name, innerPorts[index]])),
    gateway,
  } as Wiring["ports"];
  const wiring = { ...rest, config, baseUrl, cache: folder.cache };
  if (config.authUrl !== undefined) return { ...wiring, ports, authUrl: config.authUrl };
  const identity = await chooseIdentityPort({ config, folder, say, kept, gateway });
  return { ...wiring, ports: { ...ports, identity }, authUrl: issuerAt(baseUrl, identity) };
}
