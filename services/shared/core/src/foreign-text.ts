// Joiners are needed by emoji and some scripts; all other format characters only serve deception.
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}]/gu;
const JOINERS = new Set(["\u200c", "\u200d"]);
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** More combining marks on one letter overlap the neighboring lines. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * Makes text from elsewhere safe to show on one line: removes control, direction and other
 * invisible characters, and truncates it to `charactersMax`.
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
