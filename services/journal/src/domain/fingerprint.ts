import { createHash } from "node:crypto";

import { nonEmptyLines } from "@nutrition/core/text";

/** Identifies repeated calls of a write. */
export interface Fingerprint {
  /** SHA-256 over the arguments, or over the idempotency key when there is one. */
  hash: Buffer;
  /** SHA-256 over the arguments of a call with an idempotency key; null for other calls. */
  argumentsHash: Buffer | null;
  /** Alternative arguments that a call with the same idempotency key may have had. */
  sameArguments: readonly Buffer[];
  /** Whether the call omitted an optional date. */
  isUndated: boolean;
}

/** The fingerprint of a call of `tool`. An absent argument differs from an empty one. */
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
 * Normalizes case, white space and empty lines: models that repeat a call rarely reproduce them exactly, and
 * no two foods differ only in these.
 */
export function foldFoodText(text: string): string {
  const lines = nonEmptyLines(text.normalize("NFC").toLowerCase());
  return lines.map((line) => line.replace(/\s+/gu, " ")).join("\n");
}

function sha256(value: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(value)).digest();
}
