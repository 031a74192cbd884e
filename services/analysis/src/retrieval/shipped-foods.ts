import type { Food } from "../domain/foods/food.ts";
import { foodOf } from "../domain/foods/imported-food.ts";
import type { ImportedFood, NewFood } from "../domain/foods/imported-food.ts";
import { rankFoods, stemsOfFood } from "../domain/matching/food-ranking.ts";
import type { SearchQuery, WhichTerms } from "../domain/matching/food-ranking.ts";
import type { QueryReader } from "../domain/matching/query-reader.ts";
import { WordIndex } from "../domain/matching/word-index.ts";
import { Recent } from "../domain/matching/work.ts";
import type { Work } from "../domain/matching/work.ts";
import { foldWords, stem, stemsOf } from "../domain/text/food-words.ts";

/** Maximum foods that a name of a line is compared with. */
const FOODS_FOR_NAME = 5;

/** Finds USDA's foods, which ship with the service, in memory. */
export class ShippedFoods {
  readonly #byStem: WordIndex<ImportedFood>;
  readonly #byReference: ReadonlyMap<string, ImportedFood>;
  readonly queryReader: QueryReader;
  readonly #byName: Recent<readonly Food[]>;
  readonly #work: Work;

  constructor(foods: readonly NewFood[], queryReader: QueryReader, work: Work) {
    this.#byStem = new WordIndex(work);
    this.#byReference = new Map(foods.map((food) => [food.reference, food]));
    this.queryReader = queryReader;
    this.#byName = new Recent(work);
    this.#work = work;
    for (const food of foods) {
      const aliases = stemsOf(foldWords(food.aliases.join(" ")));
      this.#byStem.add(food, new Set([...stemsOfFood(food), ...aliases]));
    }
  }

  /** Foods that match all terms, or any of them, and those that are usually meant. */
  candidates({ terms, references }: SearchQuery, which: WhichTerms): ImportedFood[] {
    const called = references.flatMap((reference) => this.#byReference.get(reference) ?? []);
    const [first, ...others] = terms.map(
      (term) => new Set(term.flatMap((phrase) => [...this.#having(phrase)])),
    );
    const join = (one: Set<ImportedFood>, other: Set<ImportedFood>) =>
      which === "all" ? one.intersection(other) : one.union(other);
    const found = new Set([...others.reduce(join, first ?? new Set()), ...called]);
    this.#work.add(found.size);
    return [...found];
  }

  #having(phrase: readonly string[]): ReadonlySet<ImportedFood> {
    const [first, ...others] = stemsOf(phrase.join(" ")).map(
      (found) => new Set(this.#byStem.having(found)),
    );
    return others.reduce((one, other) => one.intersection(other), first ?? new Set());
  }

  /** The words, each that no name has replaced by the most likely word of one, if one is close. */
  correct(words: readonly string[]): string[] {
    return words.map((word) => {
      const root = stem(word);
      return this.#byStem.knows(root) ? word : (this.#byStem.nearest(root) ?? word);
    });
  }

  /** Foods that a name in a line may mean. */
  foodsFor(name: string): readonly Food[] {
    if (this.#work.isSpent) return [];
    return this.#byName.get(name, () => {
      const query = this.queryReader.read(name);
      const found = rankFoods(this.candidates(query, "all"), query, FOODS_FOR_NAME);
      return found.map(({ food }) => foodOf(food));
    });
  }
}
