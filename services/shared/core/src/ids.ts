import { v7, validate } from "uuid";

/** A new time-ordered id: UUID version 7 (RFC 9562 §5.7), as text. */
export function newId(): string {
  return v7();
}

/** Whether `text` is a UUID of any version, in its canonical form. */
export function isUuid(text: string): boolean {
  return validate(text);
}
