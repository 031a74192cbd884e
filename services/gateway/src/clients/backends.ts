import {
  HealthCheckResponse_ServingStatus,
  Health,
} from "@nutrition/proto/grpc/health/v1/health_pb";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { BatchingTransport } from "@nutrition/rpc/batching-transport";
import { createClient } from "@nutrition/rpc/client";
import type { TransportOptions } from "@nutrition/rpc/outgoing-call";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import type { AuthClient } from "./auth-client.ts";
import { createAuthClient } from "./auth-client.ts";
import type { JournalClient } from "./journal-client.ts";
import { createJournalClient } from "./journal-client.ts";
import type { LimitsClient } from "./limits-client.ts";
import { createLimitsClient } from "./limits-client.ts";

const HEALTH_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;

/** gRPC targets, such as `127.0.0.1:4701`. */
export interface BackendAddresses {
  readonly auth: string;
  readonly journal: string;
  readonly limits: string;
}

/** The services behind the gateway. */
export interface Backends extends Disposable {
  readonly auth: AuthClient;
  readonly journal: JournalClient;
  readonly limits: LimitsClient;
  /** Connects to those that can be reached within two seconds. Never rejects. */
  connect(): Promise<void>;
  /** Checks the health of each within a second. Never rejects. */
  askStates(): Promise<Record<string, BackendState>>;
}

/** Status of a service in the gRPC health protocol. */
export type BackendState = "serving" | "not_serving" | "unknown";

/** Calls connect by themselves; nothing has to be reachable yet. */
export function connectBackends(
  addresses: BackendAddresses,
  options: Omit<TransportOptions, "address">,
): Backends {
  const [auth, journal, limits] = [addresses.auth, addresses.journal, addresses.limits].map(
    (address) => new BatchingTransport({ ...options, address }),
  ) as [BatchingTransport, BatchingTransport, BatchingTransport];
  const probes = [
    new Probe("auth", AuthService.typeName, { ...options, address: addresses.auth }),
    new Probe("journal", JournalService.typeName, { ...options, address: addresses.journal }),
    new Probe("limits", LimitsService.typeName, { ...options, address: addresses.limits }),
  ];
  return {
    auth: createAuthClient(auth),
    journal: createJournalClient(journal),
    limits: createLimitsClient(limits),
    async connect() {
      const transports = [auth, journal, limits];
      await Promise.allSettled(transports.map((each) => each.connect(CONNECT_TIMEOUT_MS)));
    },
    async askStates() {
      const states = await Promise.all(probes.map((probe) => probe.ask()));
      return Object.fromEntries(states);
    },
    [Symbol.dispose]() {
      for (const connection of [auth, journal, limits, ...probes]) connection.close();
    },
  };
}

/** Checks the health of one service. */
class Probe {
  readonly name: string;
  readonly #service: string;
  readonly #transport: UnaryTransport;

  constructor(name: string, service: string, options: TransportOptions) {
    this.name = name;
    this.#service = service;
    this.#transport = new UnaryTransport(options);
  }

  async ask(): Promise<[name: string, state: BackendState]> {
    return [this.name, (await this.#isServing()) ? "serving" : "not_serving"];
  }

  async #isServing(): Promise<boolean> {
    const health = createClient(Health, this.#transport);
    try {
      const reply = await health.check(
        { service: this.#service },
        { timeoutMs: HEALTH_TIMEOUT_MS },
      );
      return reply.status === HealthCheckResponse_ServingStatus.SERVING;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#transport.close();
  }
}
