import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Clock } from "@nutrition/core/clock";
import type { Failure } from "@nutrition/core/failure";
import { toFailure } from "@nutrition/core/failure";
import { silentLogger } from "@nutrition/core/logger";
import {
  Health,
  HealthCheckResponse_ServingStatus,
} from "@nutrition/proto/grpc/health/v1/health_pb";
import type { InspectResponse } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { OperationsService } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { createClient } from "@nutrition/rpc/client";
import { withinTime } from "@nutrition/rpc/deadline";
import type { Endpoint } from "@nutrition/rpc/endpoints";
import { resolveTarget } from "@nutrition/rpc/endpoints";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import { openTls } from "@nutrition/rpc/tls-files";
import type { TlsFiles } from "@nutrition/rpc/tls-files";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import type { AdminConfig, Target } from "../config.ts";
import { CHECK_MAX_MS } from "./read-document.ts";

/** The response of one instance of a service. */
export interface Instance {
  service: Target;
  /** Name to show: the service's, with the address when it has several instances. */
  name: string;
  /** Whether it accepts calls; a failure when it did not respond. */
  serving: boolean | Failure;
  /** The instance's report about itself, or a failure if it did not respond or refused. */
  facts: InspectResponse | Failure;
  /**
   * Minimum difference of its clock to this machine's, in milliseconds; positive when ahead.
   * Undefined when unknown.
   */
  clockOffsetMs: number | undefined;
}

/** A service of which no instance could be contacted. */
export interface Missing {
  service: Target;
  /** Absent when its address is unknown here. */
  failure: Failure | undefined;
}

const CALL = { timeoutMs: CHECK_MAX_MS };

/**
 * Asks each instance of each service concurrently. Takes as long as the slowest answer, at most 4
 * s.
 */
export async function askInstances(
  config: AdminConfig,
  clock: Clock,
): Promise<(Instance | Missing)[]> {
  using tls = openTls(config.internalTls, silentLogger);
  const issuer = new IdentityIssuer({ service: "admin", privateKey: config.privateKey });
  const answers = TARGETS.map(async (service): Promise<(Instance | Missing)[]> => {
    const address = config.addresses[service];
    if (!address) return [{ service, failure: undefined }];
    try {
      const endpoints = await withinTime(resolveTarget(address), CHECK_MAX_MS, undefined);
      const many = endpoints.length > 1;
      return await Promise.all(
        endpoints.map((endpoint) => {
          const name = many ? `${service} ${endpoint.address}` : service;
          return ask({ service, name, endpoint, issuer, tls, clock });
        }),
      );
    } catch (error) {
      return [{ service, failure: toFailure(error) }];
    }
  });
  return (await Promise.all(answers)).flat();
}

const TARGETS: readonly Target[] = ["auth", "journal", "limits", "analysis", "gateway", "web"];

interface Asked {
  service: Target;
  name: string;
  endpoint: Endpoint;
  issuer: IdentityIssuer;
  tls: TlsFiles | undefined;
  clock: Clock;
}

async function ask({ service, name, endpoint, clock, ...connection }: Asked): Promise<Instance> {
  const { address } = endpoint;
  const resolve = async () => [endpoint];
  const transport = new UnaryTransport({ ...connection, service, address, resolve });
  try {
    const health = createClient(Health, transport);
    const operations = createClient(OperationsService, transport);
    const [serving, facts] = await Promise.all([
      health.check({}, CALL).then(({ status }) => status === SERVING, toFailure),
      inspect(operations.inspect, clock),
    ]);
    return { service, name, serving, ...facts };
  } finally {
    transport.close();
  }
}

const { SERVING } = HealthCheckResponse_ServingStatus;

type Inspect = ReturnType<typeof createClient<typeof OperationsService>>["inspect"];

async function inspect(call: Inspect, clock: Clock) {
  const startedAtMs = clock.monotonicMs();
  try {
    const facts = await call({}, CALL);
    if (!facts.now) return { facts, clockOffsetMs: undefined };
    const offsetMs = timestampMs(facts.now) - clock.now().getTime();
    return { facts, clockOffsetMs: leastOffsetMs(offsetMs, clock.monotonicMs() - startedAtMs) };
  } catch (error) {
    return { facts: toFailure(error), clockOffsetMs: undefined };
  }
}

/**
 * The minimum difference between a clock and ours. `offsetMs` is its reading minus our time now;
 * the reading was taken at some time within the last `tookMs`.
 */
export function leastOffsetMs(offsetMs: number, tookMs: number): number {
  if (offsetMs > 0) return offsetMs;
  return Math.min(0, offsetMs + tookMs);
}
