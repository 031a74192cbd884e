import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const GROUP_BYTES = 5;
const GROUP_DIGITS = 7;
const GROUP_END = 2 ** (8 * GROUP_BYTES);
const WORD = 2 ** 32;

const VALUES = new Uint8Array(128);
for (const [value, digit] of [...ALPHABET].entries()) VALUES[digit.charCodeAt(0)] = value;

/** Writes a whole number below 62 to the power of `length`, most significant digit first. */
export function base62Of(value: number, length: number): string {
  let rest = value;
  let digits = "";
  for (let place = 0; place < length; place += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Random base62 digits from the system's secure source. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      // 248 is the largest multiple of 62 in a byte: the rest would favor the first characters.
      if (byte < 248) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}

/** Encodes bytes, a multiple of 5, as 7 digits for each 5 bytes. */
export function encodeBase62(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += GROUP_BYTES) {
    text += base62Of(bytes.readUIntBE(at, GROUP_BYTES), GROUP_DIGITS);
  }
  return text;
}

/**
 * Decodes base62 digits, a multiple of 7, into `target` from `offset`. Returns false for what
 * `encodeBase62` never writes.
 */
export function decodeBase62(text: string, target: Buffer, offset: number): boolean {
  let at = offset;
  for (let place = 0; place < text.length; place += GROUP_DIGITS) {
    let value = 0;
    for (let digit = place; digit < place + GROUP_DIGITS; digit += 1) {
      value = value * 62 + (VALUES[text.charCodeAt(digit)] as number);
    }
    if (value >= GROUP_END) return false;
    target[at] = Math.floor(value / WORD);
    target.writeUInt32BE(value % WORD, at + 1);
    at += GROUP_BYTES;
  }
  return true;
}
