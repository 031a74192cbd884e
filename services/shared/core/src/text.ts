/**
 * Length as all layers count it: Unicode code points after NFC normalization, so that a letter
 * typed with a combining mark counts as one where a composed form exists.
 */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text.normalize("NFC")) count += 1;
  return count;
}

// Mandatory breaks of UAX #14 (BK, CR, LF, NL), which editors and terminals show as a new line.
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/** The non-empty lines of `text`, trimmed; commas never split. */
export function nonEmptyLines(text: string): string[] {
  return text
    .split(LINE_BREAK)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
