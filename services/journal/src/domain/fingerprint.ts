import { createHash } from "node:crypto";

import { nonEmptyLines } from "@nutrition/core/text";

/** How a write is recognised when it is called again. */
export interface Fingerprint {
  /** SHA-256 over the arguments, or over the idempotency key when there is one. */
  hash: Buffer;
  /** SHA-256 over the arguments of a call with an idempotency key; null for other calls. */
  argumentsHash: Buffer | null;
  /** Other arguments that a call with the same idempotency key may have had: the same, told apart. */
  sameArguments: readonly Buffer[];
  /** Whether the call gave no date where it could have. */
  isUndated: boolean;
}

/** The fingerprint of a call of `tool`. An absent argument equals only itself. */
export function fingerprintOf(
  tool: string,
  texts: readonly (string | null | undefined)[],
  idempotencyKey: string | undefined,
): Fingerprint {
  const argumentsHash = hashOf(tool, texts);
  const others = { sameArguments: [], isUndated: false };
  if (idempotencyKey === undefined) return { hash: argumentsHash, argumentsHash: null, ...others };
  return { hash: sha256(["idempotency_key", idempotencyKey]), argumentsHash, ...others };
}

/** SHA-256 over the arguments of a call of `tool`. */
export function hashOf(tool: string, texts: readonly (string | null | undefined)[]): Buffer {
  return sha256([tool, ...texts.map((text) => text?.normalize("NFC") ?? null)]);
}

/**
 * A text without what tells no foods apart: case, white space within and around lines, empty lines.
 * A model that repeats a call is rarely exact in these.
 */
export function foldFoodText(text: string): string {
  const lines = nonEmptyLines(text.normalize("NFC").toLowerCase());
  return lines.map((line) => line.replace(/\s+/gu, " ")).join("\n");
}

function sha256(value: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(value)).digest();
}
