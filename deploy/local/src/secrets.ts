import { generateKeyPairSync, randomBytes } from "node:crypto";

import { readJson, writeJson } from "./files.ts";

/** An Ed25519 key as a JWK (RFC 8037). */
export interface PrivateJwk {
  kty: string;
  crv: string;
  x: string;
  d: string;
}

/** Everything secret that a start needs and the next start needs again. */
export interface Secrets {
  /** Password of PostgreSQL's superuser. */
  postgresPassword: string;
  /** Password of each service's database role. */
  rolePasswords: Record<string, string>;
  /** Each service's identity key. */
  identityKeys: Record<string, PrivateJwk>;
  /** Peppers of the API keys' hashes, by version. */
  keyPeppers: Record<string, string>;
  keyPepperVersion: string;
  /** What the pages seal a person's cookie with; the first seals, all open. */
  sessionKeys: readonly string[];
  /** Password of the demo account at the development identity provider. */
  demoPassword: string;
}

/**
 * Reads the secrets, making what is missing. `names` are the services and the operator; each gets a
 * database password and an identity key.
 */
export async function loadSecrets(file: string, names: readonly string[]): Promise<Secrets> {
  const saved = await readJson<Partial<Secrets>>(file);
  const passwords = names.map((name) => [name, randomText()]);
  const keys = names.map((name) => [name, newIdentityKey()]);
  const secrets: Secrets = {
    postgresPassword: saved?.postgresPassword ?? randomText(),
    rolePasswords: { ...Object.fromEntries(passwords), ...saved?.rolePasswords },
    identityKeys: { ...Object.fromEntries(keys), ...saved?.identityKeys },
    keyPeppers: saved?.keyPeppers ?? { "1": randomBytes(32).toString("base64") },
    keyPepperVersion: saved?.keyPepperVersion ?? "1",
    sessionKeys: saved?.sessionKeys ?? [randomBytes(32).toString("base64url")],
    demoPassword: saved?.demoPassword ?? randomBytes(12).toString("base64url"),
  };
  if (JSON.stringify(saved) !== JSON.stringify(secrets)) await writeJson(file, secrets);
  return secrets;
}

/** The public halves as a JWKS, `kid` being the service's name. */
export function trustedKeys(secrets: Secrets): { keys: object[] } {
  const entries = Object.entries(secrets.identityKeys);
  return { keys: entries.map(([kid, { kty, crv, x }]) => ({ kty, crv, x, kid })) };
}

function newIdentityKey(): PrivateJwk {
  return generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as PrivateJwk;
}

function randomText(): string {
  return randomBytes(24).toString("base64url");
}
