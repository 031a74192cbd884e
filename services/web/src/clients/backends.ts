import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { BatchingTransport } from "@nutrition/rpc/batching-transport";
import { createClient } from "@nutrition/rpc/client";
import type { TransportOptions } from "@nutrition/rpc/outgoing-call";
import type { Client } from "@nutrition/rpc/service-definition";

/** gRPC targets, such as `127.0.0.1:4701`. */
export interface BackendAddresses {
  readonly auth: string;
  readonly journal: string;
  readonly limits: string;
}

/** The services behind the pages. Their calls reject with a `Failure`. */
export interface Backends extends Disposable {
  readonly auth: Client<typeof AuthService>;
  readonly journal: Client<typeof JournalService>;
  readonly limits: Client<typeof LimitsService>;
}

/** Connects on the first call; nothing has to be reachable yet. */
export function connectBackends(
  addresses: BackendAddresses,
  options: Omit<TransportOptions, "address">,
): Backends {
  const [auth, journal, limits] = [addresses.auth, addresses.journal, addresses.limits].map(
    (address) => new BatchingTransport({ ...options, address }),
  ) as [BatchingTransport, BatchingTransport, BatchingTransport];
  return {
    auth: createClient(AuthService, auth),
    journal: createClient(JournalService, journal),
    limits: createClient(LimitsService, limits),
    [Symbol.dispose]() {
      for (const transport of [auth, journal, limits]) transport.close();
    },
  };
}
