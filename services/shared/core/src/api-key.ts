import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const MARK = "service_live_";
const PUBLIC_ID_LENGTH = 16;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;
const SHAPE = /^service_live_([0-9A-Za-z]{16})_[0-9A-Za-z]{49}$/;

/** A key with a valid form and checksum, which may or may not have been issued. */
export interface ApiKey {
  /** The whole key: the secret that its owner presents. */
  text: string;
  /** The part that may be shown and logged. */
  publicId: string;
}

/**
 * Generates a key from the system's secure random source: `service_live_`, 16 base62 characters,
 * `_`, 43 base62 characters (256 bits), and 6 for the CRC32 of everything before.
 */
export function generateApiKey(): ApiKey {
  const publicId = randomBase62(PUBLIC_ID_LENGTH);
  const body = `${MARK}${publicId}_${randomBase62(SECRET_LENGTH)}`;
  return { text: body + checksum(body), publicId };
}

/** Parses a key; undefined when its form or checksum is wrong. */
export function parseApiKey(text: string): ApiKey | undefined {
  const publicId = SHAPE.exec(text)?.[1];
  if (publicId === undefined) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(body)) ? { text, publicId } : undefined;
}

/** The part of a key shown in lists, enough for its owner to recognize it. */
export function displayPrefix(publicId: string): string {
  return MARK + publicId.slice(0, SHOWN_LENGTH);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      // 248 is the largest multiple of 62 in a byte: the rest would favor the first characters.
      if (byte < 248) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
