import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;

/** Minimum length of a new password. */
export const PASSWORD_MIN = 6;

/** Maximum length of a password in bytes. */
export const PASSWORD_MAX_BYTES = 72;

/** A password that nobody knows, of 64 characters. */
export function randomPassword(): string {
  return randomBytes(32).toString("hex");
}

/** Hashes a password with a salt (scrypt). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, KEY_BYTES);
  return `${salt.toString("base64url")}.${hash.toString("base64url")}`;
}

/** Whether the hash was made from the password; takes the same time without a hash. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [salt = "", hash = ""] = (stored ?? "").split(".");
  const derived = await derive(password, Buffer.from(salt, "base64url"), KEY_BYTES);
  const expected = Buffer.from(hash, "base64url");
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}
