import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { foreignText } from "../domain/foreign-text.ts";

const CHARACTERS_MAX = 80;

/** Somebody else's text in a line of ours: harmless, cut, and of its own writing direction. */
export function foreign(text: string, charactersMax = CHARACTERS_MAX): Markup {
  return markup`<bdi>${foreignText(text, charactersMax)}</bdi>`;
}
