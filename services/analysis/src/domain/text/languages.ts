import letters from "../../../foods/words/letters.json" with { type: "json" };
import { foldWords } from "./food-words.ts";
import { readRuns, runLengths, singular } from "./words.ts";

/** A supported language other than English: its phrases with their meanings in the table's English. */
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

/** Letters without a Unicode decomposition, with their plain spelling. */
const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries(letters));

/** A word of at least five letters without its last vowels. */
const STEM = /^\p{L}{3,}[^\P{L}aeiouy](?=[aeiouy]{1,2}$)/u;

/** Parses tables of English and, by code, other languages; a meaning in `particles` takes precedence. */
export function parseLanguages({ particles, foods }: Record<"particles" | "foods", string>) {
  const byCode = parseTable(foods);
  return [...parseTable(particles)].map(([code, own]): Language => {
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
function foldedWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/['’]/gu, " ")
    .replace(/[^\P{L}a-z]/gu, (letter) => LETTERS.get(letter) ?? letter);
  return foldWords(plain).split(" ");
}

/** Minimum length of a word that is also recognized by its stem, and maximum length of the ending. */
const STEM_MIN = 4;
const ENDING_MAX = 4;
/** Minimum length of each half of a compound word. */
const HALF_MIN = 3;

/** Knowledge of English words. */
export interface EnglishWords {
  /** Whether a word occurs in sentences, or is a unit. */
  readonly says: (word: string) => boolean;
  /** Whether it occurs in food names, which also contain words of other languages. */
  readonly names: (word: string) => boolean;
  /** Whether the dictionary has it. */
  readonly isKnown: (word: string) => boolean;
}

/**
 * Translates the line into English if another language knows more of its words that English does not than the
 * other way round, or all of them; undefined if it is English. `unknown` are words without a meaning, in the singular.
 */
export function inEnglish(
  line: string,
  languages: readonly Language[],
  { says, names, isKnown }: EnglishWords,
): { text: string; unknown: ReadonlySet<string> } | undefined {
  const words = foldedWords(line).filter((word) => /\p{L}/u.test(word));
  if (words.every(says)) return undefined;
  let best: { language: Language; gain: number } | undefined;
  // "200 g Reis" has a language, although English names of dishes contain the word.
  let whole: Language | undefined;
  for (const language of languages) {
    const known = knownWords(words, language);
    const isEnglish = (word: string) =>
      says(word) || (names(word) && !language.particles.has(word));
    // "Zwei Snickers": products have the same names everywhere, so the word before them tells.
    const [first = ""] = words;
    const opens = language.particles.has(first) && ![says, names, isKnown].some((is) => is(first));
    const gain = known.filter(Boolean).length - (opens ? 0 : words.filter(isEnglish).length);
    if (gain > (best?.gain ?? 0)) best = { language, gain };
    const tells = (word: string) => !says(word) && !language.particles.has(word);
    if (known.every(Boolean) && words.some(tells)) whole ??= language;
  }
  const language = best?.language ?? whole;
  if (!language) return undefined;
  const { text, kept } = translated(line, language);
  return { text, unknown: new Set(kept.filter((word) => !says(word)).map(singular)) };
}

/** Whether the language has each word, alone or in a phrase. All languages have unit symbols. */
function knownWords(words: readonly string[], { meanings, lengthOf }: Language): boolean[] {
  return readRuns(words, lengthOf, (run) => {
    if (meanings.has(run.join(" "))) return run.map(() => true);
    return run.length === 1 ? [SYMBOLS.has(run[0] ?? "")] : undefined;
  });
}

const SYMBOLS: ReadonlySet<string> = new Set(["g", "kg", "ml", "cl", "dl", "l"]);

/** The line in English, and its words without a meaning. Phrases never extend across marks. */
function translated(line: string, language: Language): { text: string; kept: string[] } {
  const kept: string[] = [];
  const text = line
    .replace(/['’-]/gu, " ")
    .replace(/\d(?:[\d.,]*\d)?/gu, numberOf)
    .replace(/\p{L}[\p{L}\p{M} ]*/gu, (said) => {
      return ` ${meaningsOf(foldedWords(said), language, kept).join(" ")} `;
    });
  return { text: text.replace(/ +/gu, " ").trim(), kept };
}

/** "1.000" is a thousand and "1,5" one and a half, the reverse of English. */
function numberOf(text: string): string {
  return text.replace(/\.(?=\d{3}(?!\d))/gu, "").replace(",", ".");
}

/** The English of the words; adds those without one to `kept`. */
function meaningsOf(words: readonly string[], language: Language, kept: string[]): string[] {
  const result = readRuns(words, language.lengthOf, (run) => {
    const meaning = language.meanings.get(run.join(" "));
    if (meaning !== undefined) return [meaning];
    const [word = "", ...others] = run;
    if (others.length > 0) return undefined;
    const inParts = compound(word, language) ?? byStem(word, language);
    if (inParts === undefined) kept.push(word);
    return [inParts ?? word];
  });
  // "Eine halbe" is a half.
  const said = result.filter((meaning) => meaning !== "");
  return said.filter((meaning, at) => !(meaning === "1" && /^1\/\d$/u.test(said[at + 1] ?? "")));
}

/** "Gemüsesuppe": a compound of two words. */
function compound(word: string, language: Language): string | undefined {
  if (language.code !== "de") return undefined;
  for (let at = word.length - HALF_MIN; at >= HALF_MIN; at -= 1) {
    const second = language.meanings.get(word.slice(at));
    const first = second && byStem(word.slice(0, at), language);
    if (first) return `${first} ${second}`;
  }
  return undefined;
}

/** The longest known word at its start: "peynirli" contains cheese, "jogurtami" yogurt. */
function byStem(word: string, { meanings, stems }: Language): string | undefined {
  const lengthMin = Math.max(Math.min(STEM_MIN, word.length), word.length - ENDING_MAX);
  for (let length = word.length; length >= lengthMin; length -= 1) {
    const start = word.slice(0, length);
    // "Śliwek" is the plural of "śliwka".
    const meaning =
      meanings.get(start) ?? stems.get(start) ?? stems.get(start.replace(/ek$/u, "k"));
    if (meaning) return meaning;
  }
  return undefined;
}
