import { z } from "zod";

import { DATABASE_SERVICES } from "../database/services.ts";
import type { PrivateJwk } from "./new-secrets.ts";
import {
  newIdentityKey,
  newKeySecret,
  newPassword,
  newSessionKey,
  publicKeysOf,
} from "./new-secrets.ts";

/** Entries of a Secret, decoded. */
export type SecretEntries = Readonly<Record<string, string>>;

/** Services that call others, and the operator. */
export const CALLERS = ["gateway", "web", "journal", "limits", "admin"] as const;
/** Roles that sign in to the database; `postgres` administers a bundled one. */
const ROLES = [...DATABASE_SERVICES, "postgres"] as const;

const FIRST_PEPPER_VERSION = "1";
export const TRUSTED_KEYS = "identity-trusted-keys";
export const PEPPERS = "key-peppers";
export const PEPPER_VERSION = "key-pepper-version";
/** By the versions of the peppers. */
export const SIGNING_SECRETS = "key-signing-secrets";
export const SESSION_KEYS = "session-keys";

export const privateKey: z.ZodType<PrivateJwk> = z.object({
  kid: z.string().exactOptional(),
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  d: z.string(),
});
export const trustedKeys = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });
export const secretsByVersion = z.record(z.string(), z.string());

/**
 * Entries that are missing from the Secret, and the public halves of identity keys that are missing
 * from its key set. Existing entries stay as they are. Throws when an entry that others depend on
 * is unreadable.
 */
export function missingEntries(existing: SecretEntries): Record<string, string> {
  const missing: Record<string, string> = {};
  const identityKeys = Object.fromEntries(
    CALLERS.map((name) => {
      const entry = `identity-key-${name}`;
      const text = existing[entry] ?? (missing[entry] = JSON.stringify(newIdentityKey(name)));
      return [name, read(entry, text, privateKey)];
    }),
  );
  const trusted = completeTrust(existing[TRUSTED_KEYS], identityKeys);
  if (trusted !== undefined) missing[TRUSTED_KEYS] = trusted;
  for (const role of ROLES) {
    const entry = `database-password-${role}`;
    if (existing[entry] === undefined) missing[entry] = newPassword();
  }
  if (existing[SESSION_KEYS] === undefined) {
    missing[SESSION_KEYS] = JSON.stringify([newSessionKey()]);
  }
  const peppers = missingPeppers(existing);
  return { ...missing, ...peppers, ...missingSigningSecrets({ ...existing, ...peppers }) };
}

/** The key set with every public half; undefined when it is complete. */
function completeTrust(
  existing: string | undefined,
  identityKeys: Readonly<Record<string, PrivateJwk>>,
): string | undefined {
  const { keys } =
    existing === undefined ? { keys: [] } : read(TRUSTED_KEYS, existing, trustedKeys);
  const knownKids = new Set(keys.map(({ kid }) => kid));
  const added = publicKeysOf(identityKeys).filter(({ kid }) => !knownKids.has(kid));
  return added.length === 0 ? undefined : JSON.stringify({ keys: [...keys, ...added] });
}

/** The peppers and the current version must be created together. */
function missingPeppers(existing: SecretEntries): Record<string, string> {
  const { [PEPPERS]: peppers, [PEPPER_VERSION]: version } = existing;
  if (peppers !== undefined && version !== undefined) return {};
  if (peppers !== undefined) {
    const versions = Object.keys(read(PEPPERS, peppers, secretsByVersion)).map(Number);
    return { [PEPPER_VERSION]: String(Math.max(...versions)) };
  }
  if (version !== undefined) {
    throw new Error(
      `${PEPPERS} is missing while ${PEPPER_VERSION} exists: without it no API key works. Restore it from a backup, or delete ${PEPPER_VERSION} as well to start with no keys.`,
    );
  }
  const newPeppers = { [FIRST_PEPPER_VERSION]: newKeySecret() };
  return { [PEPPERS]: JSON.stringify(newPeppers), [PEPPER_VERSION]: FIRST_PEPPER_VERSION };
}

function missingSigningSecrets(existing: SecretEntries): Record<string, string> {
  if (existing[SIGNING_SECRETS] !== undefined) return {};
  const versions = Object.keys(readEntry(PEPPERS, existing, secretsByVersion));
  const secrets = Object.fromEntries(versions.map((version) => [version, newKeySecret()]));
  return { [SIGNING_SECRETS]: JSON.stringify(secrets) };
}

/** Parses an entry that contains JSON. Throws an error that shows no value. */
export function readEntry<Output>(
  entry: string,
  entries: SecretEntries,
  shape: z.ZodType<Output>,
): Output {
  return read(entry, entries[entry] ?? "", shape);
}

function read<Output>(entry: string, text: string, shape: z.ZodType<Output>): Output {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new Error(`The entry ${entry} of the Secret is not JSON of the documented shape.`);
  }
}
