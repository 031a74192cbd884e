import type { LocalConfig } from "./config.ts";
import type { Secrets } from "./secrets.ts";
import type { PageService, RpcService } from "./topology.ts";

/** Inputs for the services' environments. */
export interface Wiring {
  config: LocalConfig;
  secrets: Secrets;
  /** Port of each service, on the loopback address except for the public one. */
  ports: Record<RpcService | "gateway", number> & Partial<Record<PageService, number>>;
  /** Ports for the operator, of services that no other service calls. */
  operatorPorts?: Partial<Record<"gateway" | "web", number>>;
  /** Port of the viewer that all services report requests to; absent without one. */
  viewerPort?: number | undefined;
  baseUrl: string;
  /** Issuer of the identity provider; absent without sign-in. */
  authUrl?: string;
  /** What accounts of the development provider are bound to; absent with another provider. */
  identityRealm?: string | undefined;
  /** Administrator's address of the database. */
  databaseUrl: string;
  /** Folder of the built-in PostgreSQL's data; absent for another server. */
  databaseFolder?: string | undefined;
}
