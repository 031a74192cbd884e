import { randomBytes } from "node:crypto";

import type { PrivateJwk } from "@nutrition/setup/secrets/new-secrets";
import {
  newIdentityKey,
  newKeySecret,
  newPassword,
  newSessionKey,
} from "@nutrition/setup/secrets/new-secrets";

import { readJson, writeJson } from "./files.ts";

/** All secrets that must survive between starts. */
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
  /** Secrets that sign API keys, by the versions of the peppers. */
  keySigningSecrets: Record<string, string>;
  /** Keys that encrypt a person's cookie; the first encrypts, all decrypt. */
  sessionKeys: readonly string[];
  /** Password of the demo account at the development identity provider. */
  demoPassword: string;
  /** Key with which the pages invite and delete people at the development identity provider. */
  identityAdminKey: string;
}

/**
 * Reads the secrets and creates missing ones. `names` lists the services and the operator; each
 * gets a database password and an identity key.
 */
export async function loadSecrets(file: string, names: readonly string[]): Promise<Secrets> {
  const saved = await readJson<Partial<Secrets>>(file);
  const passwords = names.map((name) => [name, newPassword()]);
  const keys = names.map((name) => [name, newIdentityKey(name)]);
  const secrets: Secrets = {
    postgresPassword: saved?.postgresPassword ?? newPassword(),
    rolePasswords: { ...Object.fromEntries(passwords), ...saved?.rolePasswords },
    identityKeys: { ...Object.fromEntries(keys), ...saved?.identityKeys },
    keyPeppers: saved?.keyPeppers ?? { "1": newKeySecret() },
    keyPepperVersion: saved?.keyPepperVersion ?? "1",
    keySigningSecrets: saved?.keySigningSecrets ?? {
      [saved?.keyPepperVersion ?? "1"]: newKeySecret(),
    },
    sessionKeys: saved?.sessionKeys ?? [newSessionKey()],
    demoPassword: saved?.demoPassword ?? randomBytes(12).toString("base64url"),
    identityAdminKey: saved?.identityAdminKey ?? newPassword(),
  };
  if (JSON.stringify(saved) !== JSON.stringify(secrets)) await writeJson(file, secrets);
  return secrets;
}
