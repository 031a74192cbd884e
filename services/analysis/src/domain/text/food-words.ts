import usda from "../../../foods/words/usda.json" with { type: "json" };
import { singular } from "./spelling.ts";
import { wordList } from "./words.ts";

/** Longest name that is read; the rest of a longer one is ignored. */
const NAME_MAX = 500;

/** Text in lower case, without accents, apostrophes and marks, its words parted by one space. */
export function foldWords(text: string): string {
  return text
    .slice(0, NAME_MAX)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’`´]/gu, "")
    .replace(/&/gu, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** First parts of USDA names that say what class a food is of, not what it is. */
const CLASSES: ReadonlySet<string> = new Set(usda.classes);

/** The words of a food's name that say what it is: "almonds" of "Nuts, almonds, dry roasted". */
export function headWords(name: string): string {
  const parts = name.split(",").map(foldWords);
  const [first = "", second = ""] = parts;
  return CLASSES.has(first) && second !== "" ? second : first;
}

const EMPTY_WORDS = wordList("unstemmed");

/** What the forms of a word have in common: "toasted", "toast" and "toasts" are one. */
export function stem(word: string): string {
  const one = singular(word);
  return one.length < 5 ? one : one.replace(/(?:ed|ing|e|y)$/u, "");
}

/** The stems of folded words, each once, in order; words that say nothing are left out. */
export function stemsOf(words: string, stemOf: (word: string) => string = stem): string[] {
  const telling = words.split(" ").filter((word) => !EMPTY_WORDS.has(word));
  return [...new Set(telling.map(stemOf))];
}
