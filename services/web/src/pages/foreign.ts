import { foreignText } from "@nutrition/core/foreign-text";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

const CHARACTERS_MAX = 80;

/** Embeds untrusted text in a line of ours: sanitized, truncated, and isolated in its writing direction. */
export function foreign(text: string, charactersMax = CHARACTERS_MAX): Markup {
  return markup`<bdi>${foreignText(text, charactersMax)}</bdi>`;
}
