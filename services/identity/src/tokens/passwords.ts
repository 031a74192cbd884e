import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;

/** Shortest password that may be chosen. */
export const PASSWORD_MIN = 6;

/** Longest password that is looked at, in bytes. */
export const PASSWORD_MAX_BYTES = 72;

/** A salted hash of the password (scrypt). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, KEY_BYTES);
  return `${salt.toString("base64url")}.${hash.toString("base64url")}`;
}

/** Whether the hash was made from the password; takes its time even when there is no hash. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [salt = "", hash = ""] = (stored ?? "").split(".");
  const derived = await derive(password, Buffer.from(salt, "base64url"), KEY_BYTES);
  const expected = Buffer.from(hash, "base64url");
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}
