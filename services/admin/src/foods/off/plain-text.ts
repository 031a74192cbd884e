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
/** Control characters, separators of lines, and what stands for bytes that are no text. */
const NO_TEXT = /[\p{Cc}\u2028\u2029\uFFFD]+/gu;
/** Soft hyphens, directions of writing and the like, within words. */
const INVISIBLE = /\p{Cf}+/gu;

/** What people typed into a form as text for display, at most so many characters. */
export function plainText(cell: string, charactersMax: number): string {
  const text = cell
    .replace(ENTITY, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity)
    .replace(NO_TEXT, " ")
    .replace(INVISIBLE, "")
    .replace(/\s+/gu, " ")
    .trim();
  return [...text].slice(0, charactersMax).join("").trimEnd();
}
