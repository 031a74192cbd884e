import { z } from "zod";

import { DATABASE_SERVICES } from "../database/services.ts";
import type { SecretEntries } from "./cluster-secret.ts";
import {
  CALLERS,
  PEPPER_VERSION,
  PEPPERS,
  privateKey,
  readEntry,
  secretsByVersion,
  SESSION_KEYS,
  SIGNING_SECRETS,
  TRUSTED_KEYS,
  trustedKeys,
} from "./cluster-secret.ts";
import {
  newIdentityKey,
  newKeySecret,
  newPassword,
  newSessionKey,
  publicKeysOf,
} from "./new-secrets.ts";

/**
 * Every instance is replaced between two steps, so that old and new instances accept each other's
 * secrets.
 */
export const ROTATION_STEPS = ["begin", "switch", "end"] as const;
export type RotationStep = (typeof ROTATION_STEPS)[number];

/** Entries that a step writes; undefined removes an entry. */
type Changes = Readonly<Record<string, string | undefined>>;
type Rotation = Readonly<Record<RotationStep, (entries: SecretEntries) => Changes>>;

const sessionKeys = z.array(z.string());

/** All entries that can be replaced while the services run. */
const ROTATIONS: Readonly<Record<string, Rotation>> = {
  [PEPPERS]: rotationOfPeppers(),
  [SESSION_KEYS]: rotationOfSessionKeys(),
  ...Object.fromEntries(
    CALLERS.map((service) => [`identity-key-${service}`, rotationOfIdentityKey(service)]),
  ),
  ...Object.fromEntries(
    DATABASE_SERVICES.map((role) => [`database-password-${role}`, rotationOfPassword(role)]),
  ),
};

/**
 * The Secret after one step of replacing an entry: `begin` adds the new value beside the old,
 * `switch` starts using it, `end` removes the old. Throws a readable message when the step is out
 * of order.
 */
export function rotate(entries: SecretEntries, entry: string, step: RotationStep): SecretEntries {
  const rotation = ROTATIONS[entry];
  if (!rotation) {
    throw new Error(
      `${entry} cannot be replaced; these can: ${Object.keys(ROTATIONS).join(", ")}.`,
    );
  }
  const changed = { ...entries, ...rotation[step](entries) };
  const present = Object.entries(changed).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as SecretEntries;
}

/**
 * Callees trust the new key before its owner signs with it, and the old key until its owner stops
 * using it.
 */
function rotationOfIdentityKey(service: string): Rotation {
  const entry = `identity-key-${service}`;
  const next = `${entry}-next`;
  return {
    begin: (entries) => {
      refuseSecond(entries, next);
      const key = newIdentityKey(service);
      const keys = [...trustedIn(entries), ...publicKeysOf({ [service]: key })];
      return { [next]: JSON.stringify(key), [TRUSTED_KEYS]: JSON.stringify({ keys }) };
    },
    switch: (entries) => ({ [entry]: requireBegun(entries, next), [next]: undefined }),
    end: (entries) => {
      if (entries[next] !== undefined) throw new Error(`${entry} must be switched first.`);
      const { kid = service } = readEntry(entry, entries, privateKey);
      const isKept = (key: { kid: string; service?: unknown }) =>
        (key.service ?? key.kid) !== service || key.kid === kid;
      return { [TRUSTED_KEYS]: JSON.stringify({ keys: trustedIn(entries).filter(isKept) }) };
    },
  };
}

function trustedIn(entries: SecretEntries) {
  return readEntry(TRUSTED_KEYS, entries, trustedKeys).keys;
}

/** Services try both passwords, so that it may change in the database between two steps. */
function rotationOfPassword(role: string): Rotation {
  const entry = `database-password-${role}`;
  const other = `${entry}-fallback`;
  return {
    begin: (entries) => {
      refuseSecond(entries, other);
      return { [other]: newPassword() };
    },
    switch: (entries) => ({ [entry]: requireBegun(entries, other), [other]: entries[entry] }),
    end: (entries) => {
      requireBegun(entries, other);
      return { [other]: undefined };
    },
  };
}

/**
 * API keys are checked with the pepper and the signing secret of their own version; new ones use the
 * current version.
 */
function rotationOfPeppers(): Rotation {
  const newest = (entries: SecretEntries) =>
    Math.max(...Object.keys(readEntry(PEPPERS, entries, secretsByVersion)).map(Number));
  const inUse = (entries: SecretEntries) => entries[PEPPER_VERSION] ?? "";
  const change =
    (work: (secrets: Record<string, string>, entries: SecretEntries) => Record<string, string>) =>
    (entries: SecretEntries) =>
      Object.fromEntries(
        pepperEntries(entries).map((entry) => {
          const secrets = readEntry(entry, entries, secretsByVersion);
          return [entry, JSON.stringify(work(secrets, entries))];
        }),
      );
  return {
    begin: change((secrets, entries) => ({ ...secrets, [newest(entries) + 1]: newKeySecret() })),
    switch: (entries) => ({ [PEPPER_VERSION]: String(newest(entries)) }),
    end: change((secrets, entries) => ({ [inUse(entries)]: secrets[inUse(entries)] ?? "" })),
  };
}

/** A Secret that an earlier version created has no signing secrets until the upgrade adds them. */
function pepperEntries(entries: SecretEntries): string[] {
  return entries[SIGNING_SECRETS] === undefined ? [PEPPERS] : [PEPPERS, SIGNING_SECRETS];
}

/** The first key encrypts cookies, all of them decrypt. */
function rotationOfSessionKeys(): Rotation {
  const change = (work: (keys: string[]) => string[]) => (entries: SecretEntries) => ({
    [SESSION_KEYS]: JSON.stringify(work(readEntry(SESSION_KEYS, entries, sessionKeys))),
  });
  return {
    begin: change((keys) => [...keys, newSessionKey()]),
    switch: change((keys) => [...keys.slice(-1), ...keys.slice(0, -1)]),
    end: change((keys) => keys.slice(0, 1)),
  };
}

function refuseSecond(entries: SecretEntries, entry: string): void {
  if (entries[entry] === undefined) return;
  throw new Error(`A change of ${entry} has already begun: switch or end it.`);
}

function requireBegun(entries: SecretEntries, entry: string): string {
  const value = entries[entry];
  if (value === undefined) throw new Error(`No change of ${entry} has begun: begin first.`);
  return value;
}
