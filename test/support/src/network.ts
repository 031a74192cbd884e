import { fileURLToPath } from "node:url";

import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import type { RpcService, ServiceName } from "@nutrition/local/topology";
import { addressVariables, OPERATOR, TOPOLOGY } from "@nutrition/local/topology";
import type { TestDatabase } from "@nutrition/postgres/testing";
import { createTestDatabase } from "@nutrition/postgres/testing";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { testIdentity } from "@nutrition/rpc/testing";

import { newPeppers, newSessionKeys, newSigningSecrets, START } from "./starts.ts";
import type { Running } from "./starts.ts";

export { RPC_SERVICES } from "@nutrition/local/topology";
export type { RpcService } from "@nutrition/local/topology";

export type NetworkService = Exclude<ServiceName, "identity">;
export type Settings = Readonly<Record<string, string>>;

/** Parts of a service that a test can replace. */
export interface Overrides {
  clock?: Clock;
  logger?: Logger;
}

/** Nothing listens there. */
const NOWHERE = "127.0.0.1:1";
const LOOPBACK = { HOST: "127.0.0.1", PORT: "0", RPC_HOST: "127.0.0.1", RPC_PORT: "0" };

/**
 * Real services in this process, each with its own database and system-assigned ports. A service
 * finds the first instance of each service that was started before it.
 */
export class Network implements AsyncDisposable {
  /** Identity keys of all services. */
  readonly identity: TestIdentity;
  /** Peppers, secrets that sign keys, and cookie keys, as settings. */
  readonly peppers = newPeppers();
  readonly signingSecrets = newSigningSecrets();
  readonly sessionKeys = newSessionKeys();
  readonly #resources = new AsyncDisposableStack();
  readonly #databases = new Map<RpcService, Promise<TestDatabase>>();
  readonly #addresses = new Map<RpcService, string>();

  private constructor(identity: TestIdentity) {
    this.identity = identity;
  }

  static async open(identity?: TestIdentity): Promise<Network> {
    return new Network(identity ?? (await testIdentity()));
  }

  /** The migrated database of a service, the same for all its instances. */
  database(service: RpcService): Promise<TestDatabase> {
    const existing = this.#databases.get(service);
    if (existing) return existing;
    const folder = fileURLToPath(
      new URL(`../../../services/${service}/migrations`, import.meta.url),
    );
    const created = createTestDatabase(service, folder).then((database) =>
      this.#resources.use(database),
    );
    this.#databases.set(service, created);
    return created;
  }

  /** Starts an instance; `settings` override those of the network. */
  async start<Name extends NetworkService>(
    service: Name,
    settings: Settings = {},
    overrides: Overrides = {},
  ): Promise<Running<Name>> {
    const environment = { ...(await this.#environmentOf(service)), ...settings };
    const options = { logger: silentLogger, ...overrides };
    const running = this.#resources.use(
      (await START[service](environment, options)) as Running<Name>,
    );
    if (isRpc(service) && !this.#addresses.has(service)) {
      this.#addresses.set(service, running.address);
    }
    return running;
  }

  /** Registers work for the end, after everything that was started later has stopped. */
  defer(work: () => Promise<void>): void {
    this.#resources.defer(work);
  }

  /** Environment with which the operator's command line finds the started services. */
  get operatorEnvironment(): Record<string, string> {
    return { ...this.#addressesFor(OPERATOR), ...this.#keysOf(OPERATOR) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }

  async #environmentOf(service: NetworkService): Promise<Record<string, string>> {
    const common = { ...LOOPBACK, ...this.#addressesFor(service), ...this.#keysOf(service) };
    if (service === "auth") Object.assign(common, this.peppers, this.signingSecrets);
    if (service === "gateway") Object.assign(common, this.signingSecrets);
    if (service === "web") Object.assign(common, this.sessionKeys);
    if (!isRpc(service)) return common;
    return { ...common, DATABASE_URL: (await this.database(service)).url };
  }

  #addressesFor(caller: NetworkService | typeof OPERATOR): Record<string, string> {
    return addressVariables(caller, (callee) => this.#addresses.get(callee) ?? NOWHERE);
  }

  #keysOf(service: NetworkService | typeof OPERATOR): Record<string, string> {
    return {
      IDENTITY_PRIVATE_KEY: JSON.stringify(this.identity.privateKey(service)),
      IDENTITY_TRUSTED_KEYS: JSON.stringify(this.identity.trustedKeys),
    };
  }
}

function isRpc(service: ServiceName): service is RpcService {
  return TOPOLOGY[service].hasDatabase;
}
