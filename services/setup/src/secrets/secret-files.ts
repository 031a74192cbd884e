import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { DatabaseAddress } from "@nutrition/core/database-address";
import { z } from "zod";

import { DATABASE_SERVICES } from "../database/services.ts";
import type { SecretEntries } from "./cluster-secret.ts";
import {
  missingEntries,
  PEPPER_VERSION,
  PEPPERS,
  SESSION_KEYS,
  SIGNING_SECRETS,
  TRUSTED_KEYS,
} from "./cluster-secret.ts";

/** File with all secrets; each other file contains what one container needs. */
const ALL = "secrets.json";
/** PostgreSQL's own image expects a file with only the password. */
const POSTGRES_PASSWORD = "postgres-password";
/** Written by the owner, read by the group that the services run in. */
const MODE = 0o640;

const storedEntries = z.record(z.string(), z.string());

/**
 * Creates the secrets of an installation without Kubernetes, or adds missing ones, and writes a
 * file for each container to `folder`: `NAME.env`, which `node --env-file` reads. `databaseUrl` is
 * the database's address without a user. Returns the names of the created entries.
 */
export async function ensureSecretFiles(folder: string, databaseUrl: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const stored = await readStored(join(folder, ALL));
  const missing = missingEntries(stored);
  const entries = { ...stored, ...missing };
  await write(join(folder, ALL), `${JSON.stringify(entries, undefined, 2)}\n`);
  await write(join(folder, POSTGRES_PASSWORD), entries["database-password-postgres"] ?? "");
  for (const [name, variables] of Object.entries(variablesOf(entries, databaseUrl))) {
    await write(join(folder, `${name}.env`), environmentFile(variables));
  }
  return Object.keys(missing);
}

async function readStored(file: string): Promise<SecretEntries> {
  try {
    return storedEntries.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Error(`${file} cannot be read as secrets. Restore it from a backup, or delete it.`, {
      cause: error,
    });
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The secret variables of each container. `databaseUrl` is the database's address without a user. */
export function variablesOf(
  entries: SecretEntries,
  databaseUrl: string,
): Record<string, Record<string, string>> {
  const key = (service: string) => ({ IDENTITY_PRIVATE_KEY: entries[`identity-key-${service}`] });
  const trusted = { IDENTITY_TRUSTED_KEYS: entries[TRUSTED_KEYS] };
  const urlAs = (role: string) => {
    const password = entries[`database-password-${role}`] ?? "";
    return new DatabaseAddress(databaseUrl).as({ user: role, password });
  };
  const callee = (service: string) => ({
    ...trusted,
    DATABASE_URL: urlAs(service),
    DATABASE_PASSWORD_FALLBACK: entries[`database-password-${service}-fallback`],
  });
  const passwords = DATABASE_SERVICES.map((role) => [
    `DATABASE_PASSWORD_${role.toUpperCase()}`,
    entries[`database-password-${role}`],
  ]);
  const signing = { KEY_SIGNING_SECRETS: entries[SIGNING_SECRETS] };
  const variables: Record<string, Variables> = {
    gateway: { ...key("gateway"), ...trusted, ...signing },
    web: { ...key("web"), ...trusted, SESSION_KEYS: entries[SESSION_KEYS] },
    auth: {
      ...callee("auth"),
      KEY_PEPPERS: entries[PEPPERS],
      KEY_PEPPER_VERSION: entries[PEPPER_VERSION],
      ...signing,
    },
    journal: { ...key("journal"), ...callee("journal") },
    limits: { ...key("limits"), ...callee("limits") },
    analysis: callee("analysis"),
    admin: key("admin"),
    setup: { DATABASE_ADMIN_URL: urlAs("postgres"), ...Object.fromEntries(passwords) },
  };
  return Object.fromEntries(
    Object.entries(variables).map(([name, values]) => [name, withoutMissing(values)]),
  );
}

function withoutMissing(variables: Variables): Record<string, string> {
  const present = Object.entries(variables).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Record<string, string>;
}

function environmentFile(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => {
    if (/['\r\n]/.test(value))
      throw new Error(`${name} contains a character that is not allowed in a file.`);
    return `${name}='${value}'\n`;
  });
  return lines.join("");
}

/** Readers see the old or the new text, never a mix. */
async function write(file: string, text: string): Promise<void> {
  const unfinished = `${file}.new`;
  await writeFile(unfinished, text, { mode: MODE });
  await rename(unfinished, file);
}
