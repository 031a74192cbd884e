import { generateKeyPairSync, randomBytes } from "node:crypto";

/** An Ed25519 key as a JWK (RFC 8037). */
export interface PrivateJwk {
  /** Absent in keys of early versions, which are identified by the name of their service. */
  kid?: string;
  kty: string;
  crv: string;
  x: string;
  d: string;
}

/** The public half of a service's identity key. */
export interface PublicJwk extends Required<Omit<PrivateJwk, "d">> {
  /** The service that owns the key. */
  service: string;
}

export function newIdentityKey(service: string): PrivateJwk {
  const jwk = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as PrivateJwk;
  return { ...jwk, kid: `${service}-${randomBytes(6).toString("hex")}` };
}

/** The public halves of identity keys by service, for a JWKS that names the owner of each. */
export function publicKeysOf(identityKeys: Readonly<Record<string, PrivateJwk>>): PublicJwk[] {
  return Object.entries(identityKeys).map(([service, { kty, crv, x, kid = service }]) => ({
    kty,
    crv,
    x,
    kid,
    service,
  }));
}

/** 24 random bytes, encoded in characters that need no escaping in a URL. */
export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

/** A secret for HMACs of API keys: a pepper, or one that signs them. */
export function newKeySecret(): string {
  return randomBytes(32).toString("base64");
}

/** A key for encrypting cookies. */
export function newSessionKey(): string {
  return randomBytes(32).toString("base64url");
}
