import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** A choice of a select: its value and its text. */
export type Choice = readonly [value: string, text: string];

/** An option of a select. */
export function choiceOption([value, text]: Choice, chosen: string): Markup {
  const selected = value === chosen ? markup` selected` : "";
  return markup`<option value="${value}"${selected}>${text}</option>`;
}
