import type { LineReader } from "./line-reader.ts";
import { isDescription, withoutEmpty } from "./name-words.ts";
import { words } from "./words.ts";

/** Most remarks of one text; what follows is left out. */
const REMARKS_MAX = 40;
const BETWEEN_REMARKS = /[\n;]+|[.!?](?:\s+|$)|,\s+(?=(?:and )?the\b)|\s+(?:and|but) (?=the\b)/u;
const NOT_NAMES = words("and with was were is are it not about had have be more less in on at for");

/**
 * What a text about several lines says about each of them, in order; empty for nothing. Each remark
 * goes to the line that shares most of its words; one that fits several equally, or none, is about
 * none. Everything in a text about one line is about that line.
 */
export function remarksOfLines(
  lines: readonly string[],
  text: string,
  reader: LineReader,
): readonly string[] {
  if (lines.length <= 1 || text.trim() === "") return lines.map(() => text);
  const names = lines.map((line) => namesIn(line, reader));
  const remarks: string[][] = lines.map(() => []);
  for (const remark of text.split(BETWEEN_REMARKS).slice(0, REMARKS_MAX)) {
    const said = namesIn(remark, reader);
    const shared = names.map((known) => [...said].filter((word) => known.has(word)).length);
    const most = Math.max(...shared);
    const isClear = most > 0 && shared.filter((count) => count === most).length === 1;
    if (isClear) remarks[shared.indexOf(most)]?.push(remark.trim());
  }
  return remarks.map((parts) => parts.join("; "));
}

/** The words that tell what a text is about. */
function namesIn(text: string, reader: LineReader): ReadonlySet<string> {
  const said = reader
    .tokensOf(text)
    .flatMap(({ kind, text: word }) => (kind === "word" && !NOT_NAMES.has(word) ? [word] : []));
  return new Set(withoutEmpty(said).filter((word) => !isDescription(word)));
}
