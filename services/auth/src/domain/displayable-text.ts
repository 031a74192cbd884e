// Control characters, line and paragraph separators, and lone surrogates, which PostgreSQL refuses.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029\p{Cs}]/gu;

/** The part of untrusted text that can be stored and shown on one line; null if nothing is left. */
export function displayableText(text: string, lengthMax: number): string | null {
  const line = text.normalize("NFC").replaceAll(CONTROL_CHARACTERS, " ").trim();
  return [...line].slice(0, lengthMax).join("").trim() || null;
}

export function hasControlCharacters(text: string): boolean {
  return text.search(CONTROL_CHARACTERS) !== -1;
}
