import { randomFillSync } from "node:crypto";

import { v7, validate } from "uuid";

const RANDOM_BYTES_PER_ID = 16;
/** Filled in bulk: a call into the random generator costs ten times the rest of an id. */
const randomPool = new Uint8Array(RANDOM_BYTES_PER_ID * 256);
let usedBytes = randomPool.length;

/** Creates a time-ordered id: UUID version 7 (RFC 9562 §5.7), as text. */
export function newId(): string {
  return v7({ random: nextRandomBytes() });
}

function nextRandomBytes(): Uint8Array {
  if (usedBytes === randomPool.length) {
    randomFillSync(randomPool);
    usedBytes = 0;
  }
  return randomPool.subarray(usedBytes, (usedBytes += RANDOM_BYTES_PER_ID));
}

/** The UUID in the 16 bytes from `at`, as text. */
export function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString("hex", at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The 16 bytes of a UUID. */
export function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

/** Whether `text` is a UUID of any version, in canonical form. */
export function isUuid(text: string): boolean {
  return validate(text);
}
