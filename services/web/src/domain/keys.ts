import { addDays, isCivilDate } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";
import { characterCount } from "@nutrition/core/text";

import { momentOf } from "./moments.ts";
import { parsePermission, permissionOf, scopesOf } from "./permissions.ts";

/** Maximum number of active keys of an account, as in the public interface. */
export const ACTIVE_KEYS_MAX = 10;

const NAME_CHARACTERS_MAX = 100;
const EXPIRY_DAYS = [30, 90, 365];
const DAY_MS = 86_400_000;
const FAR = "2100-01-01";

/** Fields of the form for a new key, as typed. */
export interface KeyForm {
  readonly name: string;
  /** `read` or `write`, which includes reading. */
  readonly access: string;
  /** `never`, a number of days, or `date`. */
  readonly expiry: string;
  /** Last day on which the key is valid, for `date`. */
  readonly expiry_date: string;
}

/** Reads the form from `fields`; missing fields are empty. */
export function keyFormOf(fields: Readonly<Record<string, string>>): KeyForm {
  const { name = "", access = "", expiry = "", expiry_date = "" } = fields;
  return { name, access, expiry, expiry_date };
}

export const EMPTY_KEY_FORM: KeyForm = { name: "", access: "read", expiry: "90", expiry_date: "" };

/** Properties of a key to create. */
export interface KeyInput {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | undefined;
}

/** Validates the form; returns the key to create, or the errors by field. */
export function parseKeyForm(
  form: KeyForm,
  { now, today, timeZone }: { now: Date; today: CivilDate; timeZone: string },
): { wish: KeyInput } | { errors: Record<string, string> } {
  const { name, access, expiry, expiry_date: lastDay } = form;
  const errors: Record<string, string> = {};
  if (name === "") errors["name"] = "Give the key a name, so that you recognize it later.";
  if (characterCount(name) > NAME_CHARACTERS_MAX || /[\p{Cc}\p{Cs}]/u.test(name)) {
    errors["name"] = `Use at most ${NAME_CHARACTERS_MAX} characters on one line for the name.`;
  }
  const permission = parsePermission(access);
  if (!permission) errors["access"] = "Choose what the key may do.";
  const isDay = isCivilDate(lastDay) && lastDay >= today && lastDay < FAR;
  if (expiry === "date" && !isDay) errors["expiry_date"] = "Choose today or a later day.";
  if (expiry !== "never" && expiry !== "date" && !EXPIRY_DAYS.includes(Number(expiry))) {
    errors["expiry"] = "Choose when the key ends.";
  }
  if (!permission || Object.keys(errors).length > 0) return { errors };
  const expiresAt = expiryOf(form, now, timeZone);
  return { wish: { name, scopes: scopesOf(permission), expiresAt } };
}

function expiryOf({ expiry, expiry_date: lastDay }: KeyForm, now: Date, timeZone: string) {
  if (expiry === "never") return undefined;
  if (expiry === "date") return momentOf(addDays(lastDay, 1), 0, timeZone);
  return new Date(now.getTime() + Number(expiry) * DAY_MS);
}

/** Whether the key ends within a week. */
export function expiresSoon(expiresAt: Date | undefined, now: Date): boolean {
  const leftMs = expiresAt ? expiresAt.getTime() - now.getTime() : Infinity;
  return leftMs > 0 && leftMs <= 7 * DAY_MS;
}

/** The permissions in words. */
export function describeScopes(scopes: readonly string[]): string {
  return permissionOf(scopes) === "write" ? "Read and log food" : "Read only";
}
