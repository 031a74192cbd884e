import { singular } from "../text/spelling.ts";

/** As lines are read: in the singular. */
function read(text: string): ReadonlySet<string> {
  return new Set(text.split(" ").map(singular));
}

/** Words of sentences, which lists of foods do without. */
export const SENTENCE_WORDS = read(
  "i im ive id we weve my me myself he she they his her their us our was were is had have having ate eat " +
    "eating eaten drank drink drinking got getting enjoyed consumed finished grabbed " +
    "ordered shared snacked munched nibbled sipped started began treated decided logged this that then " +
    "today yesterday tonight because while after before when just only so it its be been did ended",
);

/** Words that negate what follows, up to the next boundary. */
export const NEGATIONS = read(
  "without no minus hold excluding except skip skipped skipping sans omit not never instead",
);
/** Words that end what was negated. */
export const AFTER_NEGATION = read("but and with on so then just only");

/** After the name of a food they make it a place, a time or a thing: "curry night", "coffee shop". */
export const NO_FOOD_AFTER = read(
  "shop place truck house night day morning evening party store aisle counter table section joint " +
    "machine stand time run break lover fan timer farm factory bakery restaurant season festival queue",
);

/** "Big Mac meal" comes with fries. */
export const MEALS = read("meal combo");

/** Kinds of food: named in passing they say nothing, and with an amount they are in other names. */
export const CLASSES = read(
  "vegetable fruit meat sweet spice side special game flavour flavor green red white black",
);

/** Words between a food and the amount of it that follows. */
export const BEFORE_LATER_AMOUNT = read(
  "was were is are maybe about around roughly approx approximately say like probably perhaps circa " +
    "i had have ate got took finished so of course just only nearly almost total totaling weighing " +
    "weighed weighing approx i'd id guess us one",
);

/** What an amount of something named before is followed by: "three pieces of it", "ate six of them". */
export const BACK_REFERENCES = read("it them those these one ones each that");

/** Verbs before a bare number that counts what was named before: "so of course I got one". */
export const TAKING = read("had ate got took finished eaten drank bought have eat drink grabbed");

/** Words that belong to a description: "weighed dry", "dry weight", "no added fat". */
export const WEIGHED = read("weighed weight weighted");

/** Words that say nothing about what a food is, where a name could stand. */
const SILENT_WORDS = read(
  "a an the of and or with without in on at to for from into onto over by as if than then plus some any " +
    "very too so about around each per both all half my your our their his her it its i was were is had " +
    "have taste serve serving garnish room temp temperature optional extra more needed desired weight " +
    "size inch cm piece strip cube chunk floret dice wedge round ring bite lengthwise crosswise thinly " +
    "finely roughly coarsely lightly freshly approx approximately total cut crushed torn beaten shell " +
    "skin bone stem seed core rind crust end top skinless boneless ripe firm cold hot warm fresh day " +
    "today yesterday morning evening night tonight lunch dinner breakfast snack meal home work please " +
    "just only also again later now x time one two plate bowl restaurant cafe shop store takeaway " +
    "takeout leftover brand style type kind version good quality best low high reduced sodium salt free " +
    "straight alone dont do judge lol omg ugh yum oops maybe like really honestly actually probably " +
    "range organic fluid split cooking baking frying drizzling dusting greasing greased pan you i",
);

/** Whether a word is one of those that say nothing about which food it is. */
export function isSilentWord(word: string): boolean {
  return SILENT_WORDS.has(word) || SENTENCE_WORDS.has(word);
}

/** Whether a word beside a food says nothing about which food it is. */
export function isSilent(word: string): boolean {
  return isSilentWord(word) || /(?:ed|ing|ly)$/.test(word);
}
