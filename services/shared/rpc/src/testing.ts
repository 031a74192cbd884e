import { exportJWK, generateKeyPair } from "jose";
import type { JWK } from "jose";

import { IdentityIssuer, IdentityVerifier } from "./identity.ts";

const SERVICES = ["gateway", "web", "auth", "journal", "limits", "analysis", "admin"] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Fresh identity keys for every service, for one test. */
export interface TestIdentity {
  privateKey(service: ServiceName): JWK;
  trustedKeys: { keys: JWK[] };
  /** Speaks as `service` to all others. */
  issuer(service: ServiceName): IdentityIssuer;
  /** Listens as `service`. */
  verifier(service: ServiceName): IdentityVerifier;
}

export async function testIdentity(): Promise<TestIdentity> {
  const pairs = await Promise.all(SERVICES.map(generatePair));
  const privateKeys = new Map(pairs.map(({ service, privateKey }) => [service, privateKey]));
  const trustedKeys = { keys: pairs.map(({ publicKey }) => publicKey) };
  const privateKey = (service: ServiceName) => privateKeys.get(service) as JWK;
  return {
    privateKey,
    trustedKeys,
    issuer: (service) =>
      new IdentityIssuer({ service, privateKey: privateKey(service), audiences: SERVICES }),
    verifier: (service) => new IdentityVerifier({ service, trustedKeys }),
  };
}

async function generatePair(service: ServiceName) {
  const pair = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const publicKey = { ...(await exportJWK(pair.publicKey)), kid: service };
  return { service, privateKey: await exportJWK(pair.privateKey), publicKey };
}
