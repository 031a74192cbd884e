import { foldWords, stem, stemsOf } from "../text/food-words.ts";
import { candidateOf, COMPARED_MAX } from "./food-ranking.ts";
import type { Candidate, NamedFood, Wanted } from "./food-ranking.ts";
import { nearestWords } from "./suggestion.ts";
import type { Work } from "./work.ts";

/** A food of a table with its names. */
export interface ListedFood extends NamedFood {
  /** Other names, separated by commas or semicolons. */
  readonly aliases: string;
}

/** Minimum and maximum length of words whose spelling is corrected. */
const CORRECTED_MIN = 4;
const WORD_MAX = 24;
const LENGTH_DISTANCE_MAX = 3;
/** Steps of work of a comparison letter by letter, relative to one of words. */
const LETTERS_STEPS = 4;

/** Finds foods of a table by their words, in memory. */
export class WordIndex<Named extends ListedFood> {
  readonly #work: Work;
  readonly #candidates: Candidate<Named>[] = [];
  readonly #byStem = new Map<string, number[]>();
  readonly #byReference = new Map<string, number>();

  /** `work` counts compared foods. */
  constructor(foods: readonly Named[], work: Work) {
    this.#work = work;
    // Names share words, so each word is stemmed once.
    const known = new Map<string, string>();
    const stemOf = (word: string) => {
      const found = known.get(word) ?? stem(word);
      known.set(word, found);
      return found;
    };
    for (const food of foods) this.#add(food, stemOf);
  }

  #add(food: Named, stemOf: (word: string) => string): void {
    const at = this.#candidates.length;
    const candidate = candidateOf(food, stemOf);
    this.#candidates.push(candidate);
    this.#byReference.set(food.reference, at);
    const aliases = stemsOf(foldWords(food.aliases), stemOf);
    for (const found of new Set([...candidate.stems, ...aliases])) {
      const known = this.#byStem.get(found);
      if (known) known.push(at);
      else this.#byStem.set(found, [at]);
    }
  }

  /** The word if a name has it, otherwise the most likely word of a name. */
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

  /** Foods that match all terms, or any of them, and foods commonly called so. */
  candidates({ terms, references }: Wanted, asked: "all" | "any"): Candidate<Named>[] {
    const called = references.flatMap((reference) => this.#byReference.get(reference) ?? []);
    const byTerm = terms.map((term) => new Set(term.flatMap((phrase) => this.#having(phrase))));
    const [first = new Set(), ...rest] = byTerm;
    const answering =
      asked === "any"
        ? byTerm.flatMap((numbers) => [...numbers])
        : [...first].filter((at) => rest.every((others) => others.has(at)));
    const found = new Set([...answering, ...called]);
    this.#work.add(found.size + LETTERS_STEPS * Math.min(COMPARED_MAX, found.size));
    return [...found].flatMap((at) => this.#candidates[at] ?? []);
  }

  #having(phrase: readonly string[]): readonly number[] {
    const lists = stemsOf(phrase.join(" ")).map((found) => this.#byStem.get(found) ?? []);
    const [shortest = [], ...others] = lists.sort((one, other) => one.length - other.length);
    const sets = others.map((list) => new Set(list));
    return shortest.filter((at) => sets.every((set) => set.has(at)));
  }
}
