// Joiners hold emoji and some scripts together; all other format characters only deceive.
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}]/gu;
const JOINERS = new Set(["\u200c", "\u200d"]);
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** More marks than this on one letter run over the lines above and below. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * Text that somebody else wrote, fit to be shown on one line: without control, direction and other
 * invisible characters, and cut after `charactersMax`.
 */
export function foreignText(text: string, charactersMax: number): string {
  const visible = text
    .replace(BREAKS, " ")
    .replace(INVISIBLE, (character) => (JOINERS.has(character) ? character : ""))
    .replace(PILED_MARKS, "$1")
    .trim();
  const characters = [...visible];
  if (characters.length <= charactersMax) return visible;
  return `${characters
    .slice(0, charactersMax - 1)
    .join("")
    .trimEnd()}…`;
}
