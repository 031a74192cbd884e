import { comparableWords } from "./line-words.ts";

// Words that do not say which food is meant.

const ENGLISH = setOf("a an the my your his her its our their");

/**
 * Articles and possessives of other languages. They begin a phrase; elsewhere the same letters may
 * be a food's name, as in "chow mein".
 */
const LEADING = setOf(
  "der die das den dem des ein eine einen einem einer eines",
  "mein meine meinen meinem meiner dein deine deinen unser unsere unseren",
  "le la les un une mon ma mes notre nos",
  "el los las una unos unas",
  "il gli uno um uma os meu minha het een mijn",
);

/** The words of a query that a line must contain; all of them when none names a food. */
export function wantedWords(query: string): string[] {
  const words = comparableWords(query);
  const first = words.findIndex((word) => !ENGLISH.has(word) && !LEADING.has(word));
  if (first < 0) return words;
  return words.slice(first).filter((word) => !ENGLISH.has(word));
}

function setOf(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(" ")));
}
