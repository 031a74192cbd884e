import { crc32 } from "node:zlib";

import { base62Of, randomBase62 } from "./base62.ts";

const MARK = "service_live_";
const PUBLIC_ID_LENGTH = 16;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;
/** Secret and checksum: 43 + 6 digits, or 98 + 6 in a signed key. */
const SHAPE = /^service_live_([0-9A-Za-z]{16})_([0-9A-Za-z]{49}|[0-9A-Za-z]{104})$/;

/** A key with a valid form and checksum, which may or may not have been issued. */
export interface ApiKey {
  /** The whole key: the secret that its owner presents. */
  text: string;
  /** The part that may be shown and logged. */
  publicId: string;
  /** What follows the public id, without the checksum. */
  secret: string;
}

/**
 * Generates a key from the system's secure random source: `service_live_`, 16 base62 characters,
 * `_`, 43 base62 characters (256 bits), and 6 for the CRC32 of everything before. Signed keys have
 * another secret; see `KeySigner`.
 */
export function generateApiKey(): ApiKey {
  return composeApiKey(newPublicId(), randomBase62(SECRET_LENGTH));
}

export function newPublicId(): string {
  return randomBase62(PUBLIC_ID_LENGTH);
}

/** The key with this public id and secret. */
export function composeApiKey(publicId: string, secret: string): ApiKey {
  const body = `${MARK}${publicId}_${secret}`;
  return { text: body + checksum(body), publicId, secret };
}

/** Parses a key; undefined when its form or checksum is wrong. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, publicId, rest] = SHAPE.exec(text) ?? [];
  if (publicId === undefined || rest === undefined) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (!text.endsWith(checksum(body))) return undefined;
  return { text, publicId, secret: rest.slice(0, -CHECKSUM_LENGTH) };
}

/** The part of a key shown in lists, enough for its owner to recognize it. */
export function displayPrefix(publicId: string): string {
  return MARK + publicId.slice(0, SHOWN_LENGTH);
}

function checksum(body: string): string {
  return base62Of(crc32(body), CHECKSUM_LENGTH);
}
