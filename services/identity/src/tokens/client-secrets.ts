import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Creates a client secret. */
export function newClientSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 of a client's secret, in base64url. */
export function hashClientSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Whether the hash was made from the secret. */
export function isClientSecret(secret: string, stored = ""): boolean {
  const [hash, expected] = [Buffer.from(hashClientSecret(secret)), Buffer.from(stored)];
  return hash.length === expected.length && timingSafeEqual(hash, expected);
}
