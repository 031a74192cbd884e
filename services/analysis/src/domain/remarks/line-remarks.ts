import type { Food } from "../foods/food.ts";
import type { SaidPart } from "../segmentation/parsed-line.ts";
import { singular } from "../text/spelling.ts";
import { LINE_STEPS_MAX } from "../line-reader.ts";
import type { LineReader } from "../line-reader.ts";
import { isDescription, withoutEmpty } from "../text/name-words.ts";
import { wordsOf } from "../text/tokens.ts";
import { words } from "../text/words.ts";

/** Most remarks of one text; what follows is left out. */
const REMARKS_MAX = 40;
const BETWEEN_REMARKS = /[\n;]+|[.!?](?:\s+|$)|,\s+(?=(?:and )?the\b)|\s+(?:and|but) (?=the\b)/u;
const NOT_NAMES = words("and with was were is are it not about had have be more less in on at for");
/** Weight of a word that the line itself has; one of another name of its food weighs 1. */
const SAME_WORD = 2;
/** Factor for words of the food that a remark names first. */
const SUBJECT = 10;

/** What a text about several lines says about one of them. */
export interface LineRemark {
  /** What names its food, and no other line's: empty for nothing. */
  readonly own: string;
  /** That, and what may be about it as well as about others. */
  readonly reaching: string;
}

/** The words by which a line and a remark are compared. */
interface Names {
  readonly said: ReadonlySet<string>;
  /** Words of the food that it names first. */
  readonly subject: ReadonlySet<string>;
  /** Words of all names of its foods. */
  readonly known: ReadonlySet<string>;
}

/**
 * What a text about several lines says about each of them, in order. Each remark goes to the line
 * whose food it names, by whatever name; one that fits several equally is about each of those, one
 * that fits none about all. Everything in a text about one line is about that line.
 */
export function remarksOfLines(
  lines: readonly string[],
  text: string,
  reader: LineReader,
): readonly LineRemark[] {
  if (lines.length <= 1 || text.trim() === "") {
    return lines.map(() => ({ own: text, reaching: text }));
  }
  return reader.work.within(LINE_STEPS_MAX, () => sorted(lines, text, reader));
}

function sorted(lines: readonly string[], text: string, reader: LineReader): LineRemark[] {
  const names = lines.map((line) => namesIn(line, reader));
  const own: string[][] = lines.map(() => []);
  const reaching: string[][] = lines.map(() => []);
  for (const remark of text.split(BETWEEN_REMARKS).slice(0, REMARKS_MAX)) {
    const said = namesIn(remark, reader);
    const shared = names.map((line) => kinship(said, line));
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

/** How well a remark fits the food of a line; 0 if not at all. */
function kinship({ said, subject }: Names, line: Names): number {
  let sum = 0;
  for (const word of said) {
    const worth = line.said.has(word) ? SAME_WORD : Number(line.known.has(word));
    sum += worth * (subject.has(word) ? SUBJECT : 1);
  }
  return sum;
}

function namesIn(text: string, reader: LineReader): Names {
  const { foods } = reader.read(text);
  const [first] = reader.parse(text).parts;
  return {
    said: telling(wordsOf(reader.tokensOf(text).filter(({ kind }) => kind === "word"))),
    subject: telling(wordsOf(first?.name ?? [])),
    known: new Set(foods.flatMap(({ match }) => [...wordsOfFood(match.food)])),
  };
}

function telling(said: readonly string[]): ReadonlySet<string> {
  const named = withoutEmpty(said).filter((word) => !NOT_NAMES.has(word));
  return new Set(named.filter((word) => !isDescription(word)));
}

/** The telling words of all names of a food: "oat" and "porridge" of oatmeal. */
function wordsOfFood({ name, aliases }: Food): ReadonlySet<string> {
  const words = [name, ...aliases].flatMap((text) => text.split(" ").map(singular));
  return new Set(words.filter((word) => !isDescription(word)));
}

/** Whether the head of a part's name, its last telling word, is in a name of the food. */
export function isNamedBy(food: Food, part: SaidPart | undefined): boolean {
  const head = part && wordsOf(part.name).findLast((word) => !isDescription(word));
  return head !== undefined && wordsOfFood(food).has(head);
}
