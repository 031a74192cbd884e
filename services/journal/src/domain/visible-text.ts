import { nonEmptyLines } from "@nutrition/core/text";

import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

// Control characters (Unicode category Cc) other than tab and the line breaks that nonEmptyLines
// splits at. Format characters stay: emoji and right-to-left text need them.
const CONTROL_CHARACTER = /[^\P{Cc}\t\n\v\f\r\u0085]/u;

/** Whether the text holds a control character that is neither a tab nor a line break. */
export function hasControlCharacter(text: string | undefined): boolean {
  return text !== undefined && CONTROL_CHARACTER.test(text);
}

/** The text in NFC, trimmed; null when nothing is left. */
export function normalisedDetails(text: string | undefined): string | null {
  const trimmed = text?.normalize("NFC").trim() ?? "";
  return trimmed === "" ? null : trimmed;
}

/** The refusal for a visible line that is not exactly one line of plain text. */
export function lineRefusal(field: string, text: string): WriteRefusal | undefined {
  if (hasControlCharacter(text)) return controlCharacterRefusal(field);
  if (nonEmptyLines(text).length === 1) return undefined;
  return invalidInput(field, `Give ${field} as one line, as the journal shall show it.`);
}

/** The refusal for a text that holds control characters. */
export function controlCharacterRefusal(field: string): WriteRefusal {
  return invalidInput(field, `Remove the control characters from ${field}.`);
}
