import numbers from "../../../foods/words/numbers.json" with { type: "json" };
import type { Food } from "../foods/food.ts";
import type { SaidPart } from "../segmentation/parsed-line.ts";
import { singular, LISTS, PHRASES } from "../text/words.ts";
import { LINE_STEPS_MAX, type LineReader } from "../line-reader.ts";
import { isDescription, withoutEmpty } from "../text/vocabulary.ts";
import { wordsOf } from "../text/tokens.ts";

/** Maximum remarks of one text; later ones are ignored. */
const REMARKS_MAX = 40;
/** Weight of a word that the line itself contains; a word of another name of its food weighs 1. */
const SAME_WORD = 2;
/** Factor for the words of the first food that a remark names. */
const SUBJECT = 10;

/** The remarks of a shared text that refer to one line. */
export interface LineRemark {
  /** Remarks that name this line's food and no other's; may be empty. */
  readonly own: string;
  /** These, and the remarks that may refer to several lines. */
  readonly reaching: string;
}

/** The words used to compare a line with a remark. */
interface Names {
  readonly said: ReadonlySet<string>;
  /** Words of the first food that it names. */
  readonly subject: ReadonlySet<string>;
  /** Words of all names of its foods. */
  readonly known: ReadonlySet<string>;
}

/**
 * Assigns the remarks of a text about several lines to the lines, in order. Each remark goes to the
 * line whose food it names, under any of its names; to all of them if several fit equally, and to
 * all lines if none fits. A text about one line is about that line entirely.
 */
export function remarksOfLines(
  lines: readonly string[],
  text: string,
  reader: LineReader,
): readonly LineRemark[] {
  if (lines.length <= 1 || text.trim() === "") {
    return lines.map(() => ({ own: text, reaching: text }));
  }
  return reader.work.within(LINE_STEPS_MAX, () => assigned(lines, text, reader));
}

function assigned(lines: readonly string[], text: string, reader: LineReader): LineRemark[] {
  const names = lines.map((line) => namesIn(line, reader));
  const said = text.split(PHRASES.betweenRemarks).map((remark) => remark.trim());
  const remarks = said.slice(0, REMARKS_MAX).map((remark) => {
    const named = namesIn(remark, reader);
    const fits = names.map((line) => fitOf(named, line));
    const best = Math.max(...fits);
    const isOwn = best > 0 && fits.filter((fit) => fit === best).length === 1;
    return { text: remark, isOfLine: (at: number) => fits[at] === best, isOwn };
  });
  const join = (parts: typeof remarks) =>
    parts.flatMap((part) => (part.text === "" ? [] : part.text)).join("; ");
  return lines.map((_, at) => {
    const reaching = remarks.filter(({ isOfLine }) => isOfLine(at));
    return { own: join(reaching.filter(({ isOwn }) => isOwn)), reaching: join(reaching) };
  });
}

/** How well a remark fits the food of a line; 0 if it does not. */
function fitOf({ said, subject }: Names, line: Names): number {
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
  const named = withoutEmpty(said).filter((word) => !LISTS.notNamesInRemarks.has(word));
  return new Set(named.filter((word) => !isDescription(word)));
}

/** The significant words of all names of a food: "oat" and "porridge" for oatmeal. */
function wordsOfFood({ name, aliases }: Food): ReadonlySet<string> {
  const words = [name, ...aliases].flatMap((text) => text.split(" ").map(singular));
  return new Set(words.filter((word) => !isDescription(word)));
}

/** Whether a name of the food contains the head of a part's name, its last significant word. */
export function isNamedBy(food: Food, part: SaidPart | undefined): boolean {
  const head = part && wordsOf(part.name).findLast((word) => !isDescription(word));
  return head !== undefined && wordsOfFood(food).has(head);
}

const FACTORS: ReadonlyMap<string, number> = new Map(Object.entries(numbers.shares));

/** The factor in "only half of that" and "twice as much"; undefined for "half an avocado" and the like. */
export function readRelativeAmount(correction: string): number | undefined {
  const said = correction
    .trim()
    .toLowerCase()
    .replace(/(?<![.!])[.!]+$/u, "")
    .split(/ +/u);
  const isEmpty = (word: string) => LISTS.beforeShare.has(word) || LISTS.afterShare.has(word);
  const share = said.filter((word) => !isEmpty(word)).join(" ");
  if (PHRASES.share.test(share)) return Number.parseFloat(share) / (share.endsWith("%") ? 100 : 1);
  return FACTORS.get(share);
}
