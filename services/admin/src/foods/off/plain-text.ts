const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  amp: "&",
  lt: "<",
  gt: ">",
  apos: "'",
  "#39": "'",
  nbsp: " ",
};
const ENTITY = /&(quot|amp|lt|gt|apos|#39|nbsp);/giu;
/** Control characters, line separators, and the replacement character for invalid bytes. */
const NO_TEXT = /[\p{Cc}\u2028\u2029\uFFFD]+/gu;
/** Soft hyphens, direction marks and other format characters within words. */
const INVISIBLE = /\p{Cf}+/gu;

/**
 * Cleans text that people typed into a form for display, and truncates it to a number of
 * characters.
 */
export function plainText(cell: string, charactersMax: number): string {
  const text = cell
    .replace(ENTITY, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity)
    .replace(NO_TEXT, " ")
    .replace(INVISIBLE, "")
    .replace(/\s+/gu, " ")
    .trim();
  return [...text].slice(0, charactersMax).join("").trimEnd();
}
