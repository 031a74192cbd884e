import { nonEmptyLines } from "@nutrition/core/text";

import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

// Control characters (Unicode category Cc) other than tab and the line breaks that nonEmptyLines
// splits at. Format characters stay: emoji and right-to-left text need them.
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\v\f\r\u0085]/u;

/** Whether the text contains a control character that is neither a tab nor a line break. */
export function hasControlCharacter(text: string | undefined): boolean {
  return text !== undefined && CONTROL_CHARACTER.test(text);
}

/** The text in NFC, trimmed, with `\n` for every line break; null when nothing is left. */
export function normalisedDetails(text: string | undefined): string | null {
  const unified = text
    ?.normalize("NFC")
    .replace(/\r\n|[\v\f\r\u0085\u2028\u2029]/gu, "\n")
    .trim();
  return unified ? unified : null;
}

/** A line break as some models escape it in their arguments. */
const WRITTEN_LINE_BREAK = /\\r\\n|\\n/g;

/** List markers: "- ", "• ", "3. ". */
const LIST_MARK = /^(?:[-*+•–—]|\d{1,2}[.)])\s+(?=\S)/u;

/** The visible lines of a text in NFC, without list markers and surrounding white space. */
export function visibleLines(text: string): string[] {
  const lines = nonEmptyLines(text.normalize("NFC").replace(WRITTEN_LINE_BREAK, "\n"));
  return lines.map((line) => line.replace(LIST_MARK, "").replace(/\s+/gu, " "));
}

/** Parses the only visible line of the text, or refuses any other number of lines. */
export function parseVisibleLine(field: string, text: string): { line: string } | WriteRefusal {
  if (hasControlCharacter(text)) return controlCharacterRefusal(field);
  const [line, another] = visibleLines(text);
  if (line !== undefined && another === undefined) return { line };
  return invalidInput(field, `${field} must be one line, as the journal should show it.`);
}

/** The refusal for a text that contains control characters. */
export function controlCharacterRefusal(field: string): WriteRefusal {
  return invalidInput(field, `${field} must not contain control characters.`);
}
