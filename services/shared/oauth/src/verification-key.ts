import type { CryptoKey } from "jose";
import { importJWK } from "jose";

/** A public key with the only algorithm that it may be used with (RFC 8725 §3.1). */
export interface VerificationKey {
  readonly algorithm: string;
  readonly key: CryptoKey;
}

const KEYS_MAX = 50;
const RSA_MODULUS_BITS_MIN = 2_048;

/** By key type and curve; symmetric keys are excluded. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ["EC P-256", "ES256"],
  ["RSA", "RS256"],
  ["OKP Ed25519", "EdDSA"],
]);

/** Algorithms that a key set may contain. */
export const VERIFICATION_ALGORITHMS: readonly string[] = [...ALGORITHMS.values()];

/**
 * The keys of a key set (RFC 7517 §5) that verify signatures, by `kid`; others are ignored. Throws
 * when it is not a key set.
 */
export async function importKeySet(document: unknown): Promise<Map<string, VerificationKey>> {
  const keys: unknown = (document as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys)) throw new TypeError("The key set has no member keys.");
  const imported = await Promise.all(keys.slice(0, KEYS_MAX).map(importKey));
  return new Map(imported.filter((entry) => entry !== undefined));
}

async function importKey(jwk: unknown): Promise<[kid: string, VerificationKey] | undefined> {
  if (typeof jwk !== "object" || jwk === null) return undefined;
  const { kid, kty, crv, n, e, x, y, alg, use = "sig" } = jwk as Record<string, string | undefined>;
  const algorithm = ALGORITHMS.get(crv === undefined ? String(kty) : `${kty} ${crv}`);
  if (!kid || !kty || !algorithm || use !== "sig") return undefined;
  if (alg !== undefined && alg !== algorithm) return undefined;
  const publicMembers = Object.entries({ crv, n, e, x, y }).filter(([, value]) => value);
  try {
    const key = await importJWK({ kty, ...Object.fromEntries(publicMembers) }, algorithm);
    return isStrong(key) ? [kid, { algorithm, key }] : undefined;
  } catch {
    return undefined;
  }
}

function isStrong(key: CryptoKey | Uint8Array): key is CryptoKey {
  if (key instanceof Uint8Array) return false;
  const { modulusLength } = key.algorithm as { modulusLength?: number };
  return modulusLength === undefined || modulusLength >= RSA_MODULUS_BITS_MIN;
}
