import { silentLogger } from "@nutrition/core/logger";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { exportJWK, generateKeyPair } from "jose";
import type { JWK } from "jose";

import { forwardingOf } from "./access.ts";
import type { Access, Forwarding } from "./access.ts";
import type { CallContext } from "./context.ts";
import { IdentityIssuer, IdentityVerifier } from "./identity.ts";
import { bind, startRpcServer } from "./server.ts";
import type { RpcServer, RpcServerOptions } from "./server.ts";
import { methodPath } from "./service-definition.ts";
import type { Handlers } from "./service-definition.ts";

const SERVICES = ["gateway", "web", "auth", "journal", "limits", "analysis", "admin"] as const;
export type ServiceName = (typeof SERVICES)[number];

const BY_THE_JOURNAL = forwardingOf(methodPath(JournalService.method.logFood)) as Forwarding;

/** New identity keys for every service, for one test. */
export interface TestIdentity {
  privateKey(service: ServiceName): JWK;
  trustedKeys: { keys: JWK[] };
  /** Signs as `service` for all others. */
  issuer(service: ServiceName): IdentityIssuer;
  /** Verifies as `service`. */
  verifier(service: ServiceName): IdentityVerifier;
  /** A call that the journal handles for `user`, to be passed on with `onBehalfOf`. */
  journalCall(user: UserIdentity, timeoutMs?: number): Promise<CallContext>;
}

export async function testIdentity(): Promise<TestIdentity> {
  const pairs = await Promise.all(SERVICES.map(generatePair));
  const privateKeys = new Map(pairs.map(({ service, privateKey }) => [service, privateKey]));
  const trustedKeys = { keys: pairs.map(({ publicKey }) => publicKey) };
  const privateKey = (service: ServiceName) => privateKeys.get(service) as JWK;
  const issuer = (service: ServiceName) =>
    new IdentityIssuer({ service, privateKey: privateKey(service) });
  return {
    privateKey,
    trustedKeys,
    issuer,
    verifier: (service) => new IdentityVerifier({ service, trustedKeys }),
    journalCall: async (user, timeoutMs = 10_000) => ({
      caller: "gateway",
      user,
      userAssertion: await issuer("gateway").userAssertion(user, BY_THE_JOURNAL),
      traceparent: undefined,
      signal: new AbortController().signal,
      remainingMs: () => timeoutMs,
    }),
  };
}

async function generatePair(service: ServiceName) {
  const pair = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const publicKey = { ...(await exportJWK(pair.publicKey)), kid: service };
  return { service, privateKey: await exportJWK(pair.privateKey), publicKey };
}

type LimitsHandlers = Handlers<typeof LimitsService>;

/** Starts a server of the limits service with these handlers; the gateway may call `count` by default. */
export function startLimits(
  identity: TestIdentity,
  handlers: LimitsHandlers,
  options: Partial<RpcServerOptions> & { access?: Access<typeof LimitsService> } = {},
): Promise<RpcServer> {
  const { access = { count: { callers: ["gateway"], user: "none" } }, ...others } = options;
  return startRpcServer({
    host: "127.0.0.1",
    port: 0,
    identity: identity.verifier("limits"),
    logger: silentLogger,
    services: [bind(LimitsService, handlers, access)],
    ...others,
  });
}
