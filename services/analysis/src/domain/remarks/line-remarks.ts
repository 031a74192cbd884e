import type { LineReader } from "../line-reader.ts";
import { isDescription, withoutEmpty } from "../text/name-words.ts";
import { words } from "../text/words.ts";

/** Most remarks of one text; what follows is left out. */
const REMARKS_MAX = 40;
const BETWEEN_REMARKS = /[\n;]+|[.!?](?:\s+|$)|,\s+(?=(?:and )?the\b)|\s+(?:and|but) (?=the\b)/u;
const NOT_NAMES = words("and with was were is are it not about had have be more less in on at for");

/** What a text about several lines says about one of them. */
export interface LineRemark {
  /** What names its food, and no other line's: empty for nothing. */
  readonly own: string;
  /** That, and what may be about it as well as about others. */
  readonly reaching: string;
}

/**
 * What a text about several lines says about each of them, in order. Each remark goes to the line
 * that shares most of its words; one that fits several equally is about each of those, one that fits
 * none about all. Everything in a text about one line is about that line.
 */
export function remarksOfLines(
  lines: readonly string[],
  text: string,
  reader: LineReader,
): readonly LineRemark[] {
  if (lines.length <= 1 || text.trim() === "") {
    return lines.map(() => ({ own: text, reaching: text }));
  }
  const names = lines.map((line) => namesIn(line, reader));
  const own: string[][] = lines.map(() => []);
  const reaching: string[][] = lines.map(() => []);
  for (const remark of text.split(BETWEEN_REMARKS).slice(0, REMARKS_MAX)) {
    const said = namesIn(remark, reader);
    const shared = names.map((known) => [...said].filter((word) => known.has(word)).length);
    const most = Math.max(...shared);
    const meant = lines.flatMap((_, at) => (shared[at] === most ? [at] : []));
    for (const at of meant) {
      reaching[at]?.push(remark.trim());
      if (most > 0 && meant.length === 1) own[at]?.push(remark.trim());
    }
  }
  const join = (parts: readonly string[]) => parts.filter((part) => part !== "").join("; ");
  return lines.map((_, at) => ({ own: join(own[at] ?? []), reaching: join(reaching[at] ?? []) }));
}

/** The words that tell what a text is about. */
function namesIn(text: string, reader: LineReader): ReadonlySet<string> {
  const said = reader
    .tokensOf(text)
    .flatMap(({ kind, text: word }) => (kind === "word" && !NOT_NAMES.has(word) ? [word] : []));
  return new Set(withoutEmpty(said).filter((word) => !isDescription(word)));
}
