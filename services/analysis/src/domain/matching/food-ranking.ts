import { foldWords, headWords } from "../text/food-words.ts";
import { likeness, trigramsOf } from "./likeness.ts";
import { nearestWords } from "./nearest-word.ts";
import type { Work } from "./work.ts";
import { PLAIN_WORDS, UNWANTED_WORDS } from "./plain-words.ts";
import type { Term } from "./search-text.ts";
import { stem, stemsOf } from "../text/stem.ts";

/** A food by the names that it is found by. */
export interface NamedFood {
  readonly reference: string;
  readonly name: string;
  /** Other names, separated by commas or semicolons. */
  readonly aliases: string;
}

/** A food that answers to a search; scores compare within one search. */
export interface Ranked<Named extends NamedFood> {
  readonly food: Named;
  readonly score: number;
}

/** What is looked for. */
export interface Wanted {
  readonly words: readonly string[];
  readonly terms: readonly Term[];
  /** References of foods that people call so. */
  readonly references: readonly string[];
}

/** Shortest and longest word that is corrected. */
const CORRECTED_MIN = 4;
const WORD_MAX = 24;
const LENGTH_DISTANCE_MAX = 3;
/** Foods that are compared letter by letter: those that stand best by their words. */
const COMPARED_MAX = 60;
const NAME_WORDS_MAX = 12;
/** What comparing letter by letter costs against comparing words. */
const LETTERS_STEPS = 4;
// Tuned on searches of an app's users: what a food is stands before the first comma of its name and
// counts most; plain foods come before those that are dried, canned or low in something.
const WORTH = {
  found: 0.3,
  named: 0.5,
  head: 0.7,
  kind: 0.1,
  called: 0.4,
  survey: 0.05,
  perWord: -0.05,
  plain: 0.2,
  unwanted: -0.4,
  whole: 0.5,
  part: 0.5,
  denied: -0.3,
} as const;

interface Entry<Named> {
  readonly food: Named;
  readonly words: string;
  readonly stems: ReadonlySet<string>;
  readonly head: readonly string[];
}

/** Finds foods by their words: the ranking of searches, in the process. */
export class FoodRanking<Named extends NamedFood> {
  readonly #work: Work;
  readonly #entries: Entry<Named>[] = [];
  readonly #byStem = new Map<string, number[]>();
  readonly #byReference = new Map<string, number>();

  /** `work` counts the foods that are compared. */
  constructor(foods: readonly Named[], work: Work) {
    this.#work = work;
    // Names share their words: each is stemmed once.
    const known = new Map<string, string>();
    const stemOf = (word: string) => {
      const found = known.get(word) ?? stem(word);
      known.set(word, found);
      return found;
    };
    for (const food of foods) this.#add(food, stemOf);
  }

  #add(food: Named, stemOf: (word: string) => string): void {
    const at = this.#entries.length;
    const words = foldWords(food.name);
    const stems = stemsOf(words, stemOf);
    this.#entries.push({
      food,
      words,
      stems: new Set(stems),
      head: stemsOf(headWords(food.name), stemOf),
    });
    this.#byReference.set(food.reference, at);
    for (const found of new Set([...stems, ...stemsOf(foldWords(food.aliases), stemOf)])) {
      const known = this.#byStem.get(found);
      if (known) known.push(at);
      else this.#byStem.set(found, [at]);
    }
  }

  /** The word, or the one of the names that it most likely is when no name has it. */
  correct(word: string): string {
    if (word.length < CORRECTED_MIN || word.length > WORD_MAX || this.#byStem.has(stem(word))) {
      return word;
    }
    const candidates = [...this.#byStem].flatMap(([like, foods]) =>
      like[0] === word[0] && Math.abs(like.length - word.length) <= LENGTH_DISTANCE_MAX
        ? [{ word: stem(word), like, foods: foods.length }]
        : [],
    );
    return nearestWords(candidates).get(stem(word)) ?? word;
  }

  /** Foods that answer to all terms, best first. */
  find({ words, terms, references }: Wanted, limit: number): Ranked<Named>[] {
    const asked = new Set(terms.flat(2).map(stem));
    const called = new Set(
      references.flatMap((reference) => this.#byReference.get(reference) ?? []),
    );
    const unwanted = UNWANTED_WORDS.filter((word) => !asked.has(word));
    const found = this.#answering(terms);
    this.#work.add(found.length + LETTERS_STEPS * Math.min(COMPARED_MAX, found.length));
    const stood = [...new Set([...found, ...called])].flatMap((at) => {
      const entry = this.#entries[at];
      return entry
        ? [{ entry, stands: standing(entry, { terms, asked, unwanted }, called.has(at)) }]
        : [];
    });
    const best = stood.sort((one, other) => other.stands - one.stands).slice(0, COMPARED_MAX);
    const letters = trigramsOf(words.join(" "));
    const denied = new RegExp(`\\b(?:no|non|without|not) (?:${words.join("|")})\\b`, "u");
    return best
      .map(({ entry, stands }) => ({
        food: entry.food,
        score: stands + closeness(entry, letters, { asked, denied }),
      }))
      .sort((one, other) => other.score - one.score || order(one.food, other.food))
      .slice(0, limit);
  }

  /** Foods, by number, that have for each term one of its phrases. */
  #answering(terms: readonly Term[]): readonly number[] {
    const [first, ...rest] = terms.map(
      (term) => new Set(term.flatMap((phrase) => this.#having(phrase))),
    );
    return first ? [...first].filter((at) => rest.every((others) => others.has(at))) : [];
  }

  #having(phrase: readonly string[]): readonly number[] {
    const lists = stemsOf(phrase.join(" ")).map((found) => this.#byStem.get(found) ?? []);
    const [shortest = [], ...others] = lists.sort((one, other) => one.length - other.length);
    const sets = others.map((list) => new Set(list));
    return shortest.filter((at) => sets.every((set) => set.has(at)));
  }
}

function standing<Named extends NamedFood>(
  { food, stems, head }: Entry<Named>,
  {
    terms,
    asked,
    unwanted,
  }: { terms: readonly Term[]; asked: ReadonlySet<string>; unwanted: readonly string[] },
  isCalled: boolean,
): number {
  const isNamed = terms.every((term) =>
    term.some((phrase) => stemsOf(phrase.join(" ")).every((word) => stems.has(word))),
  );
  const isHead = head.every((word) => asked.has(word));
  return (
    WORTH.found +
    (isNamed ? WORTH.named : 0) +
    (isHead ? WORTH.head : 0) +
    (isCalled ? WORTH.called : 0) +
    (food.reference.startsWith("fndds") ? WORTH.survey : 0) +
    WORTH.perWord * Math.min(NAME_WORDS_MAX, stems.size) +
    (PLAIN_WORDS.some((word) => stems.has(word)) ? WORTH.plain : 0) +
    (unwanted.some((word) => stems.has(word)) ? WORTH.unwanted : 0)
  );
}

function closeness<Named extends NamedFood>(
  { words, food, head }: Entry<Named>,
  letters: ReadonlySet<string>,
  { asked, denied }: { asked: ReadonlySet<string>; denied: RegExp },
): number {
  // "Pizza, cheese, thin crust" is a cheese pizza, "Pizza, extra cheese" one of another kind.
  const [, kind = ""] = food.name.split(",");
  const kinds = stemsOf(foldWords(kind));
  const isTold = kinds.some((word) => !head.includes(word));
  const isKind = isTold && [...head, ...kinds].every((word) => asked.has(word));
  const { whole, part } = likeness(letters, trigramsOf(words));
  return (
    WORTH.whole * whole +
    WORTH.part * part +
    (isKind ? WORTH.kind : 0) +
    (denied.test(words) ? WORTH.denied : 0)
  );
}

function order(one: NamedFood, other: NamedFood): number {
  return one.reference < other.reference ? -1 : 1;
}
