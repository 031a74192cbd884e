import { foldWords } from "./food-words.ts";
import { runLengths } from "./spelling.ts";

/**
 * A supported language other than English: its phrases with their meanings in the table's English.
 */
export interface Language {
  readonly code: string;
  /** By normalized phrase. */
  readonly meanings: ReadonlyMap<string, string>;
  /** Meanings of single words by stem, which all their cases share: "jajk" for "jajko" and "jajkiem". */
  readonly stems: ReadonlyMap<string, string>;
  /** Words of the longest phrase that begins with a word. */
  readonly lengthOf: (first: string) => number;
  /** Articles, conjunctions, numbers and units, which identify the language of a line. */
  readonly particles: ReadonlySet<string>;
}

/** Tables whose first column is English; the other columns are headed by language codes. */
export interface LanguageTables {
  readonly particles: string;
  readonly foods: string;
}

/** Letters without a Unicode decomposition, with their plain spelling. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: "l",
  ı: "i",
  ß: "ss",
  œ: "oe",
  æ: "ae",
  ø: "o",
};
const FOREIGN_LETTERS = /[łıßœæø]/gu;

/** A word of at least five letters without its last vowels. */
const STEM = /^\p{L}{3,}[^\P{L}aeiouy](?=[aeiouy]{1,2}$)/u;

/** Parses the tables. The meaning in `particles` takes precedence. */
export function parseLanguages({ particles, foods }: LanguageTables): Language[] {
  const byCode = parseTable(foods);
  return [...parseTable(particles)].map(([code, own]) => {
    const meanings = new Map([...(byCode.get(code) ?? []), ...own]);
    const particles = new Set(own.keys());
    const stems = new Map<string, string>();
    for (const [phrase, meaning] of meanings) {
      const stem = STEM.exec(phrase)?.[0];
      if (stem && !stems.has(stem)) stems.set(stem, meaning);
    }
    return { code, meanings, stems, particles, lengthOf: runLengths(meanings.keys()) };
  });
}

function parseTable(text: string): Map<string, Map<string, string>> {
  const [head = "", ...rows] = text.trimEnd().split("\n");
  const codes = head.split("\t").slice(1);
  const byCode = new Map(codes.map((code) => [code, new Map<string, string>()]));
  for (const row of rows) {
    const [english = "", ...cells] = row.split("\t");
    codes.forEach((code, at) => {
      const known = byCode.get(code);
      for (const phrase of phrasesOf(cells[at])) {
        if (known && !known.has(phrase)) known.set(phrase, english === "-" ? "" : english);
      }
    });
  }
  return byCode;
}

function phrasesOf(cell = "-"): string[] {
  if (cell === "-") return [];
  return cell.split(",").map((phrase) => foldedWords(phrase).join(" "));
}

/** The words of a text in lower case without accents; `ł` becomes `l`. */
export function foldedWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/['’]/gu, " ")
    .replace(FOREIGN_LETTERS, (letter) => LETTERS[letter] ?? letter);
  return foldWords(plain).split(" ");
}
