import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Senses of a noun that are looked at for beings. */
const SENSES_MAX = 3;
const ORDER = ["n", "a", "v", "r"];

/** What a word may mean: its part of speech, its lexicographer file, its rank and how often it was met. */
export interface Sense {
  readonly part: string;
  readonly file: number;
  readonly order: number;
  readonly count: number;
}

/** Senses of a word, the most frequent first. */
export function readSenses(wordnet: string): Map<string, Sense[]> {
  const byWord = new Map<string, Sense[]>();
  for (const line of readFileSync(join(wordnet, "dict/index.sense"), "utf8").split("\n")) {
    const found = /^([a-z_]+)%([1-5]):(\d\d):\S+ \d+ (\d+) (\d+)/u.exec(line);
    if (!found) continue;
    const [, written = "", type = "1", file, order, count] = found;
    const word = written.replaceAll("_", " ");
    const part = ["n", "v", "a", "r", "a"][Number(type) - 1] ?? "n";
    const known = byWord.get(word) ?? [];
    byWord.set(word, known);
    known.push({ part, file: Number(file), order: Number(order), count: Number(count) });
  }
  const rank = ({ part, count, order }: Sense) => -count * 100 + order + ORDER.indexOf(part) / 10;
  for (const known of byWord.values()) known.sort((one, other) => rank(one) - rank(other));
  return byWord;
}

/** A group of synonyms. */
export interface Synset {
  readonly file: number;
  readonly words: readonly string[];
  readonly above: readonly string[];
}

export function readSynsets(wordnet: string, part: string): Map<string, Synset> {
  const synsets = new Map<string, Synset>();
  for (const line of readFileSync(join(wordnet, `dict/data.${part}`), "utf8").split("\n")) {
    const found = /^(\d{8}) (\d\d) [a-z] ([0-9a-f]{2}) /u.exec(line);
    if (!found) continue;
    const [, id = "", file, count = "0"] = found;
    const [cells = ""] = line.split(" | ");
    const words = cells.split(" ").slice(4, 4 + 2 * Number.parseInt(count, 16));
    const above = [...cells.matchAll(/ @i? (\d{8}) n/gu)].map(([, other = ""]) => other);
    const own = words.filter((_, at) => at % 2 === 0);
    synsets.set(id, { file: Number(file), words: own, above });
  }
  return synsets;
}

/** The names of a group of synonyms and of all above it. */
export function namesAbove(id: string, nouns: ReadonlyMap<string, Synset>): Set<string> {
  const { words = [], above = [] } = nouns.get(id) ?? {};
  const names = new Set(words.map((word) => word.toLowerCase()));
  for (const other of above) for (const name of namesAbove(other, nouns)) names.add(name);
  return names;
}

/** Of each noun, its groups of synonyms, the most frequent first. */
export function readNouns(wordnet: string): Map<string, string[]> {
  const byWord = new Map<string, string[]>();
  for (const line of readFileSync(join(wordnet, "dict/index.noun"), "utf8").split("\n")) {
    const [word = "", , count] = line.split(" ");
    if (!/^[a-z_]+$/u.test(word)) continue;
    byWord.set(
      word.replaceAll("_", " "),
      line.trim().split(" ").slice(-Number(count)).slice(0, SENSES_MAX),
    );
  }
  return byWord;
}

/** The verbs of which a word in "-ed" or "-ing" may be a form. */
export function verbsBehind(word: string, senses: ReadonlyMap<string, Sense[]>): string[] {
  const [, stem] = /^(.{2,}?)(?:ed|ing)$/u.exec(word) ?? [];
  if (stem === undefined) return [];
  const verbs = [stem, `${stem}e`, stem.replace(/i$/u, "y"), stem.replace(/(.)\1$/u, "$1")];
  return verbs.filter((verb) => senses.get(verb)?.some(({ part }) => part === "v"));
}

/** How often a word was met as that part of speech. */
export function timesMet(known: readonly Sense[], part: string): number {
  return known.reduce((sum, sense) => sum + (sense.part === part ? sense.count : 0), 0);
}
