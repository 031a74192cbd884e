import { foldedWords } from "./language-tables.ts";
import type { Language } from "./language-tables.ts";
import { readRuns, singular } from "./spelling.ts";

/**
 * Minimum length of a word that is also recognized by its stem, and maximum length of the ending.
 */
const STEM_MIN = 4;
const ENDING_MAX = 4;
const JOINTS = ["", "s", "n", "en", "e"] as const;
/** Minimum length of each half of a compound word. */
const HALF_MIN = 3;

/** Knowledge of English words. */
export interface EnglishWords {
  /** Whether a word occurs in sentences, or is a unit. */
  readonly says: (word: string) => boolean;
  /** Whether it occurs in food names, which also contain words of other languages. */
  readonly names: (word: string) => boolean;
}

/** A line of another language in English. */
export interface Translation {
  readonly text: string;
  /** Words without a meaning, in the singular as lines are read; they stay unchanged. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * Translates the line into English if another language knows more of its words that English does
 * not than the other way round, or all of them; undefined if it is English.
 */
export function inEnglish(
  line: string,
  languages: readonly Language[],
  { says, names }: EnglishWords,
): Translation | undefined {
  const words = foldedWords(line).filter((word) => /\p{L}/u.test(word));
  if (words.every(says)) return undefined;
  let best: { language: Language; gain: number } | undefined;
  // "200 g Reis" has a language, although English names of dishes contain the word.
  let whole: Language | undefined;
  for (const language of languages) {
    const known = knownWords(words, language);
    const english = words.map(
      (word) => says(word) || (names(word) && !language.particles.has(word)),
    );
    const gained = known.filter((isKnown, at) => isKnown && !english[at]).length;
    const lost = known.filter((isKnown, at) => !isKnown && english[at]).length;
    const gain = gained - lost;
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

const PIECE = /(?<word>\p{L}[\p{L}\p{M}]*)|(?<number>\d[\d.,]*(?:\/\d+)?)|(?<other>[^\p{L}\d]+)/gu;

/** Marks keep their positions, and phrases never extend across them. */
function translated(line: string, language: Language): { text: string; kept: string[] } {
  const result: string[] = [];
  const kept: string[] = [];
  let words: string[] = [];
  const flush = () => {
    result.push(...meaningsOf(words, language, kept));
    words = [];
  };
  for (const { groups } of line.replace(/['’]/gu, " ").replace(/-/gu, " ").matchAll(PIECE)) {
    const { word, number, other = "" } = groups ?? {};
    if (word !== undefined) words.push(...foldedWords(word));
    else if (number !== undefined || other.trim() !== "") {
      flush();
      result.push(number === undefined ? other : numberOf(number));
    }
  }
  flush();
  return { text: result.join(" ").replace(/ +/gu, " "), kept };
}

/** "1.000" is a thousand and "1,5" one and a half, the reverse of English. */
function numberOf(text: string): string {
  const end = /[.,]$/u.exec(text)?.[0] ?? "";
  const number = text.slice(0, text.length - end.length);
  const plain = number.replace(/\.(?=\d{3}(?!\d))/gu, "").replace(",", ".");
  return `${plain}${end}`;
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
function compound(word: string, { code, meanings }: Language): string | undefined {
  if (code !== "de") return undefined;
  for (let at = word.length - HALF_MIN; at >= HALF_MIN; at -= 1) {
    const second = meanings.get(word.slice(at));
    if (second === undefined) continue;
    for (const joint of JOINTS) {
      const end = at - joint.length;
      const first = word.slice(end, at) === joint ? meanings.get(word.slice(0, end)) : undefined;
      if (first) return `${first} ${second}`;
    }
  }
  return undefined;
}

/** The longest known word at its start: "peynirli" contains cheese, "jogurtami" yogurt. */
function byStem(word: string, { meanings, stems }: Language): string | undefined {
  for (let length = word.length; length >= STEM_MIN; length -= 1) {
    if (word.length - length > ENDING_MAX) return undefined;
    const start = word.slice(0, length);
    // "Śliwek" is the plural of "śliwka".
    const meaning =
      meanings.get(start) ?? stems.get(start) ?? stems.get(start.replace(/ek$/u, "k"));
    if (meaning) return meaning;
  }
  return undefined;
}
