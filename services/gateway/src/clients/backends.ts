import {
  HealthCheckResponse_ServingStatus,
  Health,
} from "@nutrition/proto/grpc/health/v1/health_pb";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { CarrierTransport } from "@nutrition/rpc/carrier-transport";
import { createClient } from "@nutrition/rpc/client";
import type { IdentityIssuer } from "@nutrition/rpc/identity";
import type { UnaryTransportOptions } from "@nutrition/rpc/unary-transport";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import type { AuthClient } from "./auth-client.ts";
import { createAuthClient } from "./auth-client.ts";
import type { JournalClient } from "./journal-client.ts";
import { createJournalClient } from "./journal-client.ts";
import type { LimitsClient } from "./limits-client.ts";
import { createLimitsClient } from "./limits-client.ts";

const HEALTH_TIMEOUT_MS = 1_000;

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
  /** Names of the services that do not say they are serving, by the gRPC health protocol. */
  listNotServing(): Promise<string[]>;
}

/** Connects lazily: nothing has to be reachable yet. */
export function connectBackends(addresses: BackendAddresses, issuer: IdentityIssuer): Backends {
  const [auth, journal, limits] = [addresses.auth, addresses.journal, addresses.limits].map(
    (address) => new CarrierTransport({ address, issuer }),
  ) as [CarrierTransport, CarrierTransport, CarrierTransport];
  const probes = [
    new Probe("auth", AuthService.typeName, { address: addresses.auth, issuer }),
    new Probe("journal", JournalService.typeName, { address: addresses.journal, issuer }),
    new Probe("limits", LimitsService.typeName, { address: addresses.limits, issuer }),
  ];
  return {
    auth: createAuthClient(auth),
    journal: createJournalClient(journal),
    limits: createLimitsClient(limits),
    async listNotServing() {
      const serving = await Promise.all(probes.map((probe) => probe.isServing()));
      return probes.filter((_, index) => !serving[index]).map(({ name }) => name);
    },
    [Symbol.dispose]() {
      for (const connection of [auth, journal, limits, ...probes]) connection.close();
    },
  };
}

/** Asks one service for its health. */
class Probe {
  readonly name: string;
  readonly #service: string;
  readonly #transport: UnaryTransport;

  constructor(name: string, service: string, options: UnaryTransportOptions) {
    this.name = name;
    this.#service = service;
    this.#transport = new UnaryTransport(options);
  }

  async isServing(): Promise<boolean> {
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
