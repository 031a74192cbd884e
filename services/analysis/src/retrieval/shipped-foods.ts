import type { Food } from "../domain/foods/food.ts";
import { foodOf } from "../domain/foods/imported-food.ts";
import type { NewFood } from "../domain/foods/imported-food.ts";
import { candidateOf, rankFoods } from "../domain/matching/food-ranking.ts";
import type { Candidate, SearchQuery } from "../domain/matching/food-ranking.ts";
import type { QueryReader } from "../domain/matching/query-reader.ts";
import { WordIndex } from "../domain/matching/word-index.ts";
import { Recent } from "../domain/matching/work.ts";
import type { Work } from "../domain/matching/work.ts";
import { foldWords, stem, stemsOf } from "../domain/text/food-words.ts";
import type { WhichTerms } from "../store/imported-foods.ts";

/** Maximum foods that a name of a line is compared with, and size of the cache of names. */
const FOODS_FOR_NAME = 5;
const NAMES_KEPT = 500;

/** Finds USDA's foods, which ship with the service, in memory. */
export class ShippedFoods {
  readonly #byStem: WordIndex<Candidate>;
  readonly #byReference = new Map<string, Candidate>();
  readonly #queryReader: QueryReader;
  readonly #byName: Recent<readonly Food[]>;
  readonly #work: Work;

  constructor(foods: readonly NewFood[], queryReader: QueryReader, work: Work) {
    this.#byStem = new WordIndex(work);
    this.#queryReader = queryReader;
    this.#byName = new Recent(NAMES_KEPT, work);
    this.#work = work;
    // Names share words, so each word is stemmed once.
    const known = new Map<string, string>();
    const stemOf = (word: string) => {
      const found = known.get(word) ?? stem(word);
      known.set(word, found);
      return found;
    };
    for (const food of foods) {
      const candidate = candidateOf(food, stemOf);
      this.#byReference.set(food.reference, candidate);
      const aliases = stemsOf(foldWords(food.aliases.join(" ")), stemOf);
      this.#byStem.add(candidate, new Set([...candidate.stems, ...aliases]));
    }
  }

  /** Foods that match all terms, or any of them, and those that are usually meant. */
  candidates({ terms, references }: SearchQuery, which: WhichTerms): Candidate[] {
    const called = references.flatMap((reference) => this.#byReference.get(reference) ?? []);
    const byTerm = terms.map((term) => new Set(term.flatMap((phrase) => this.#having(phrase))));
    const [first = new Set(), ...rest] = byTerm;
    const answering =
      which === "any"
        ? byTerm.flatMap((foods) => [...foods])
        : [...first].filter((food) => rest.every((others) => others.has(food)));
    const found = new Set([...answering, ...called]);
    this.#work.add(found.size);
    return [...found];
  }

  #having(phrase: readonly string[]): readonly Candidate[] {
    const lists = stemsOf(phrase.join(" ")).map((found) => this.#byStem.having(found));
    const [shortest = [], ...others] = lists.sort((one, other) => one.length - other.length);
    const sets = others.map((list) => new Set(list));
    return shortest.filter((food) => sets.every((set) => set.has(food)));
  }

  /** The word itself if a name has it, or else the most likely word of a name; undefined for none. */
  nearest(word: string): string | undefined {
    const root = stem(word);
    return this.#byStem.knows(root) ? word : this.#byStem.nearest(root);
  }

  /** Foods that a name in a line may mean. */
  foodsFor(name: string): readonly Food[] {
    if (this.#work.isSpent) return [];
    return this.#byName.get(name, () => {
      const query = this.#queryReader.read(name);
      const found = rankFoods(this.candidates(query, "all"), query, FOODS_FOR_NAME);
      return found.map(({ food }) => foodOf(food));
    });
  }
}
