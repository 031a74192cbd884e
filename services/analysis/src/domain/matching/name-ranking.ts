import { isSilent } from "../segmentation/sentence-words.ts";
import type { Lexicon } from "../text/lexicon.ts";
import { isBrand, GENERIC_HEADS, isDescription, VAGUE_WORDS } from "../text/name-words.ts";
import type { Food } from "../foods/food.ts";
import type { FoodMatch } from "./food-index.ts";
import { isNear } from "../text/spelling.ts";
import { scoreMatch } from "./match-score.ts";
import { Recent, Work } from "./work.ts";

interface Name {
  food: Food;
  words: ReadonlySet<string>;
  head: string;
}

const DESCRIPTION_WEIGHT = 0.2;
/** Weight of a word in no name, relative to the rarest word of the table. */
const UNKNOWN_WEIGHT = 0.5;
/** Minimum share of the phrase that a name must cover. */
const COVERAGE_MIN = 0.5;
const SCORE_MIN = 0.55;
/** Minimum and maximum length of words whose spelling is corrected. */
const CORRECTED_MIN = 5;
const WORD_MAX = 24;

/** Steps of work of a comparison letter by letter, relative to one of names. */
const LETTERS_STEPS = 2;
const CORRECTED_KEPT = 2_000;

/** Ranks names by the words they share with a phrase. */
export class NameRanking {
  /** Counts names compared, and words compared letter by letter. */
  readonly work = new Work();
  readonly #byWord = new Map<string, Name[]>();
  /** Words by first letter and length. */
  readonly #byShape = new Map<string, string[]>();
  readonly #corrected = new Recent<string>(CORRECTED_KEPT, this.work);
  readonly #lexicon: Lexicon;
  #count = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** Adds a name of a food. */
  add(food: Food, words: readonly string[]): void {
    const name = { food, words: new Set(words), head: words.at(-1) ?? "" };
    this.#count += 1;
    for (const word of name.words) {
      const names = this.#byWord.get(word);
      if (names) names.push(name);
      else {
        this.#byWord.set(word, [name]);
        const shape = `${word.charAt(0)}${word.length}`;
        this.#byShape.set(shape, [...(this.#byShape.get(shape) ?? []), word]);
      }
    }
  }

  /** Whether any name contains the word. */
  knows(word: string): boolean {
    return this.#byWord.has(word);
  }

  /** The food whose name contains the head of the phrase and most of the rest. */
  best(words: readonly string[]): FoodMatch | undefined {
    const head = this.#headOf(words);
    if (head === undefined) return undefined;
    const isGeneric = GENERIC_HEADS.has(head);
    const candidates = this.#scored(words, head).filter(({ name, coverage, score }) => {
      // A "birthday cake" is not a birthday.
      const isOne = name.words.has(head) && words.includes(name.head);
      const answers = isOne && coverage >= COVERAGE_MIN && score >= SCORE_MIN;
      return answers && !(isGeneric && isOtherKind(name, words, head));
    });
    return foodsOf(candidates, words, 1)[0];
  }

  /** Foods by how well their names match the words, best first. */
  rank(words: readonly string[], limit: number): FoodMatch[] {
    return foodsOf(this.#scored(words, this.#headOf(words)), words, limit);
  }

  /**
   * The word of a name that a misspelt word most likely means; the word itself if none is close.
   */
  correct(word: string): string {
    return this.#corrected.get(word, () => this.#correct(word));
  }

  #correct(word: string): string {
    if (
      this.work.isSpent ||
      word.length < CORRECTED_MIN ||
      word.length > WORD_MAX ||
      this.knows(word)
    )
      return word;
    if (this.#lexicon.has(word) || isDescription(word) || isBrand(word)) return word;
    return this.#nearest(word, 1) ?? (word.length < 8 ? word : (this.#nearest(word, 2) ?? word));
  }

  /** Of the close words, the one in most names. */
  #nearest(word: string, editsMax: number): string | undefined {
    let best: string | undefined;
    for (const known of this.#alike(word, editsMax)) {
      this.work.add(LETTERS_STEPS);
      // Short words are corrected only for a missing letter: "mochi" is not mocha.
      const isShort = word.length < 6 && known.length <= word.length;
      if (isShort || !isNear(word, known, editsMax)) continue;
      const names = this.#byWord.get(known) ?? [];
      if (names.length > (best === undefined ? 0 : (this.#byWord.get(best)?.length ?? 0))) {
        best = known;
      }
    }
    return best;
  }

  /** Words of names with the same first letter and a similar length. */
  #alike(word: string, editsMax: number): string[] {
    const lengths = Array.from(
      { length: 2 * editsMax + 1 },
      (_, at) => word.length - editsMax + at,
    );
    return lengths.flatMap((length) => this.#byShape.get(`${word.charAt(0)}${length}`) ?? []);
  }

  #scored(words: readonly string[], head: string | undefined): Scored[] {
    const said = head === undefined ? words : [...words.filter((word) => word !== head), head];
    const weightOf = (word: string) => this.#weight(word);
    const names = new Set(words.flatMap((word) => this.#byWord.get(word) ?? []));
    this.work.add(names.size);
    return [...names].map((name) => {
      const compared = { words: name.words, head: [...name.words] };
      return { name, ...scoreMatch(said, compared, weightOf) };
    });
  }

  /**
   * The last word that does more than describe. Undefined if no name has it: "apple betty" is not
   * an apple.
   */
  #headOf(words: readonly string[]): string | undefined {
    const telling = words.findLast((word) => !isDescription(word)) ?? words.at(-1);
    if (telling === undefined || VAGUE_WORDS.has(telling) || isSilent(telling)) return undefined;
    return this.knows(telling) ? telling : undefined;
  }

  /** Rare words weigh more, words that only describe weigh little. */
  #weight(word: string): number {
    const rarest = Math.log(1 + this.#count);
    const names = this.#byWord.get(word)?.length;
    if (isDescription(word)) return DESCRIPTION_WEIGHT * rarest;
    if (names === undefined) return UNKNOWN_WEIGHT * rarest;
    // Compressed, so that a common head such as "soup" still counts beside a rare word.
    return Math.sqrt(Math.log(1 + this.#count / names) * rarest);
  }
}

/** A fish pie is not an apple pie: both state their kind, and the kinds differ. */
function isOtherKind({ food, words: name }: Name, words: readonly string[], head: string): boolean {
  const isKind = (word: string) => word !== head && !isDescription(word);
  const named = [...name].filter(isKind);
  const kinds = named.length > 0 ? named : food.name.split(" ").filter(isKind);
  return words.some(isKind) && kinds.length > 0 && !kinds.some((kind) => words.includes(kind));
}

interface Scored {
  readonly name: Name;
  readonly coverage: number;
  readonly score: number;
}

function foodsOf(scored: readonly Scored[], words: readonly string[], limit: number): FoodMatch[] {
  const best = new Map<Food, FoodMatch>();
  for (const { name, score } of scored) {
    if (score <= (best.get(name.food)?.score ?? 0)) continue;
    const unmatched = words.filter((word) => !name.words.has(word));
    best.set(name.food, { food: name.food, score, unmatched });
  }
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}
