import { characterCount } from "@nutrition/core/text";

import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

const CHARACTERS_MAX = 200;

/** Refuses an unusable key; undefined when the key is usable or absent. */
export function idempotencyKeyRefusal(key: string | undefined): WriteRefusal | undefined {
  if (key === undefined) return undefined;
  const count = characterCount(key);
  if (count >= 1 && count <= CHARACTERS_MAX && !/\p{Cc}/u.test(key)) return undefined;
  return invalidInput(
    "idempotency_key",
    `idempotency_key must be 1 to ${CHARACTERS_MAX} printable characters, or be left out.`,
  );
}
