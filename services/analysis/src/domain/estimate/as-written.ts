import { foldWords } from "../text/food-words.ts";
import { singular } from "../text/spelling.ts";

/**
 * The words of a line as the person wrote them that a phrase was read from: "puff puffs" of
 * "two puff puffs" for "2 puff puff". Amounts are left out; the phrase itself when it is not found.
 */
export function asWritten(phrase: string, line: string): string {
  const named = phrase.split(" ").filter((word) => !/^[\d/.,-]+$/.test(word));
  const written = line.split(/\s+/u);
  const read = written.map((word) => singular(foldWords(word)));
  const [first = "", last = first] = [named.find((word) => read.includes(word)), named.at(-1)];
  const start = read.indexOf(first);
  if (start === -1) return named.join(" ") || phrase;
  const end = Math.max(start, read.indexOf(last, start));
  const said = written.slice(start, end + 1).join(" ");
  return said.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}
