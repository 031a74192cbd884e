import { X509Certificate } from "node:crypto";

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import type {
  DatabaseSchema,
  InspectResponseSchema,
} from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { OperationsService } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { OPERATOR } from "@nutrition/rpc/access";
import { IdentityVerifier } from "@nutrition/rpc/identity";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import type { RpcServer, ServiceBinding } from "@nutrition/rpc/server";
import type { TlsFiles } from "@nutrition/rpc/tls-files";
import { metricsUrl, telemetryEnvironment, tracesUrl } from "@nutrition/telemetry/config";

import packageJson from "../package.json" with { type: "json" };
import type { OperatorAccess } from "./config.ts";
import { deploymentProblems, isProduction } from "./deployment.ts";

/** A service's report about itself. `signal` ends the wait for unresponsive dependencies. */
export interface Inspected {
  /** Name of the service, such as `limits`. */
  service: string;
  clock?: Clock;
  tls?: TlsFiles | undefined;
  /** Only for a service with a schema. */
  database?: (signal: AbortSignal) => Promise<MessageInitShape<typeof DatabaseSchema>>;
  /** Only for a service that uses Redis. */
  redis?: {
    isConfigured: boolean;
    answers: (signal: AbortSignal) => Promise<boolean>;
  };
  policyVersion?: () => string;
  /** Only for the gateway: whether the services behind it answer, and what to change. */
  edge?: () => Promise<{ backends: Record<string, string>; warnings: readonly string[] }>;
  /** Only for a service that uses the database's time zones: those that differ from this process's. */
  differingTimeZones?: (signal: AbortSignal) => Promise<string[] | undefined>;
  /** Only for the service that asks the identity provider for mails. */
  mailQuotaRefusedAt?: () => Date | undefined;
  /** Settings of the process. */
  environment?: NodeJS.ProcessEnv;
}

type InspectResponse = MessageInitShape<typeof InspectResponseSchema>;

/**
 * Shorter than the operator's 2 s timeout, so that the report can still say which dependency does
 * not respond.
 */
const ANSWER_MAX_MS = 1_000;
const ACCESS = { inspect: { callers: [OPERATOR], user: "none" } } as const;

/** Handles the operator's inspections; serve it beside the service's own methods. */
export function inspectionBinding(inspected: Inspected): ServiceBinding {
  const startedAt = (inspected.clock ?? systemClock).now();
  const inspect = () => inspectNow(inspected, startedAt);
  return bind(OperationsService, { inspect }, ACCESS);
}

/** Handles the operator's calls alone, for a service that no other service calls. */
export async function serveInspection(
  inspected: Inspected,
  {
    access,
    logger,
    bindings = [],
  }: { access: OperatorAccess; logger: Logger; bindings?: readonly ServiceBinding[] },
): Promise<RpcServer> {
  const { service, tls } = inspected;
  const { host, port, trustedKeys } = access;
  const identity = new IdentityVerifier({ service, trustedKeys });
  const services = [inspectionBinding(inspected), ...bindings];
  return startRpcServer({ host, port, identity, tls, logger, services });
}

async function inspectNow(inspected: Inspected, startedAt: Date): Promise<InspectResponse> {
  const { service, clock = systemClock, tls, policyVersion } = inspected;
  const { environment = process.env } = inspected;
  const quotaRefusedAt = inspected.mailQuotaRefusedAt?.();
  const signal = AbortSignal.timeout(ANSWER_MAX_MS);
  const [database, redis, telemetry, edge, differing] = await Promise.all([
    inspected.database?.(signal),
    inspectRedis(inspected.redis, signal),
    inspectTelemetry(environment, signal),
    inspectEdge(inspected.edge),
    inspected.differingTimeZones?.(signal),
  ]);
  return {
    service,
    version: packageJson.version,
    startedAt: timestampFromDate(startedAt),
    now: timestampFromDate(clock.now()),
    ...(database && { database }),
    ...(redis && { redis }),
    policyVersion: policyVersion?.() ?? "",
    timeZones: {
      version: process.versions.tz ?? "",
      compared: differing !== undefined,
      differing: differing ?? [],
    },
    ...(quotaRefusedAt && { mailQuotaRefusedAt: timestampFromDate(quotaRefusedAt) }),
    telemetry,
    certificates: tls ? certificatesOf(tls) : [],
    production: isProduction(environment),
    productionRefusals: deploymentProblems({ ...environment, DEPLOYMENT: "production" }),
    ...edge,
  };
}

async function inspectEdge(edge: Inspected["edge"]) {
  if (!edge) return undefined;
  const { backends, warnings } = await edge();
  const states = Object.entries(backends);
  return {
    backends: states.map(([name, state]) => ({ name, serving: state === "serving" })),
    warnings: [...warnings],
  };
}

async function inspectRedis(redis: Inspected["redis"], signal: AbortSignal) {
  if (!redis) return undefined;
  const reachable = redis.isConfigured && (await redis.answers(signal));
  return { configured: redis.isConfigured, reachable };
}

async function inspectTelemetry(environment: NodeJS.ProcessEnv, signal: AbortSignal) {
  const nonEmpty = Object.entries(environment).filter(([, value]) => value !== "");
  const { data: config } = telemetryEnvironment.safeParse(Object.fromEntries(nonEmpty));
  if (!config || config.OTEL_SDK_DISABLED) return { exporting: false };
  const urls = new Set([tracesUrl(config), metricsUrl(config)]);
  urls.delete(undefined);
  const answers = await Promise.all([...urls].map((url) => answersHttp(url ?? "", signal)));
  return {
    exporting: urls.size > 0,
    reachable: urls.size > 0 && answers.every(Boolean),
    scraped: (environment["OPERATIONS_PORT"] ?? "") !== "",
  };
}

/** Whether anything responds at `url`. */
async function answersHttp(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await fetch(url, { method: "HEAD", redirect: "manual", signal });
    return true;
  } catch {
    return false;
  }
}

function certificatesOf({ material }: TlsFiles) {
  return [
    ...expiryOf("INTERNAL_TLS_CERT_FILE", material.cert),
    ...expiryOf("INTERNAL_TLS_CA_FILE", material.ca),
  ];
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** When the first of the certificates in a PEM file expires; undefined when it has none. */
function expiryOf(setting: string, pem: Buffer) {
  const certificates = pem.toString().match(CERTIFICATE) ?? [];
  const expiries = certificates.map((text) => new X509Certificate(text).validToDate.getTime());
  if (expiries.length === 0) return [];
  return [{ setting, expiresAt: timestampFromDate(new Date(Math.min(...expiries))) }];
}
