import { wordsOf } from "../text/tokens.ts";
import { addNutrients, NO_NUTRIENTS, scaleNutrients } from "../foods/food.ts";
import type { Food, Nutrients } from "../foods/food.ts";
import type { LineReader, LineReading } from "../line-reader.ts";
import { hasNoStatedState } from "../composition/prepared-food.ts";
import { foldWords } from "../text/food-words.ts";
import { singular, LISTS, PHRASES } from "../text/words.ts";

/** A food that an estimate counts. */
export interface Component {
  /** The words of the line that name it. */
  readonly text: string;
  readonly foodName: string;
  readonly reference: string;
  readonly grams: number;
  /** Energy in kcal. */
  readonly calories: number;
}

/** Where the figures of a line come from. */
export type Provenance = "food_table" | "model" | "user_memory" | "stated";

/** The nutrition of one line. */
export interface Estimate {
  readonly kind: "estimate";
  readonly nutrients: Nutrients;
  /** Volume of a line that is plain water and nothing else; 0 for any other line. */
  readonly waterMilliliters: number;
  /** 0 to 1, from the evidence for the foods and their portions. */
  readonly confidence: number;
  /** What was assumed, in one sentence; empty when nothing was. */
  readonly comment: string;
  readonly provenance: Provenance;
  readonly components: readonly Component[];
}

/** Why a line cannot be estimated. */
export interface CannotTell {
  readonly kind: "cannot_tell";
  /** One sentence that says what to change. Models follow it, so it contains none of the line's text. */
  readonly message: string;
  /** The words of the line that the message is about, at most 60 characters; empty for the whole line. */
  readonly words: string;
}

export type LineResult = Estimate | CannotTell;

export function cannotTell(message: string, words = ""): CannotTell {
  return { kind: "cannot_tell", message, words };
}

/** The result with a note before its comment, and with less confidence if `trust` is below 1. */
export function withNote(result: LineResult, note: string, trust = 1): LineResult {
  if (result.kind === "cannot_tell") return result;
  const comment = `${note} ${result.comment}`.trim();
  return { ...result, comment, confidence: result.confidence * trust };
}

/** A food of a table, a label or a model's answer, and how much of it was eaten. */
export interface EatenFood {
  readonly text: string;
  readonly food: Pick<Food, "name" | "reference" | "kind" | "per100Grams" | "gramsPerMilliliter">;
  readonly grams: number;
}

/** What foods have together; `factor` shifts the nutrients, but not the components. */
export function totalOf(
  foods: readonly EatenFood[],
  factor: number,
): Pick<Estimate, "nutrients" | "waterMilliliters" | "components"> {
  const nutrients = foods
    .map(({ food, grams }) => scaleNutrients(food.per100Grams, grams / 100))
    .reduce(addNutrients, NO_NUTRIENTS);
  const volumes = foods.map(({ food, grams }) => grams / (food.gramsPerMilliliter ?? 1));
  const isWater = foods.every(({ food }) => food.kind === "water");
  return {
    nutrients: scaleNutrients(nutrients, factor),
    waterMilliliters: isWater ? volumes.reduce((total, volume) => total + volume, 0) : 0,
    components: foods.map(({ text, food, grams }) => ({
      text,
      foodName: food.name,
      reference: food.reference,
      grams,
      calories: (food.per100Grams.calories * grams) / 100,
    })),
  };
}

/** Maximum number of foods whose portions a comment names. */
const ASSUMPTIONS_MAX = 3;
/** Below this match score, the comment says how the words were read. */
const CLEAR_MATCH_SCORE = 0.9;

/** What was assumed about a line, with the notes, in one sentence; empty if there is nothing to say. */
export function commentOf(
  { foods, unknown }: LineReading,
  notes: readonly string[],
  line: string,
): string {
  const taken = foods.filter(({ match }) => match.score < CLEAR_MATCH_SCORE);
  const cooked = foods.filter(hasNoStatedState).map(({ match }) => `cooked ${match.food.name}`);
  const assumed = foods.flatMap(({ weight }) => weight.assumption ?? []);
  const left = unknown.map((text) => quote(asWritten(text, line)));
  const sentence = [
    ...clause("read as", [...taken.map(({ match }) => match.food.name), ...cooked]),
    ...clause("assumed", assumed.slice(0, ASSUMPTIONS_MAX)),
    ...clause("left out", left),
    ...notes,
  ].join("; ");
  return sentence === "" ? "" : `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`;
}

/** A clause of a comment about the items; none if there are none. */
export function clause(what: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${what} ${list(items)}`];
}

const LISTED = new Intl.ListFormat("en-GB");

/** "a, b and c". */
export function list(items: readonly string[]): string {
  return LISTED.format(items);
}

/**
 * The part of a line that a phrase was read from, as the person wrote it: "puff puffs" of "two puff
 * puffs" for "2 puff puff". Amounts are left out; falls back to the phrase itself.
 */
function asWritten(phrase: string, line: string): string {
  const named = phrase.split(" ").filter((word) => !/^[\d/.,-]+$/.test(word));
  const written = line.split(/\s+/u);
  const read = written.map((word) => singular(foldWords(word)));
  const [first = "", last = first] = [named.find((word) => read.includes(word)), named.at(-1)];
  const start = read.indexOf(first);
  if (start === -1) return named.join(" ") || phrase;
  const end = Math.max(start, read.indexOf(last, start));
  const said = written.slice(start, end + 1).join(" ");
  return said.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

/** Minimum and maximum weight of a line in grams. */
const GRAMS_MIN = 0.1;
export const GRAMS_MAX = 5_000;
/** Maximum weight of a food in grams if the text states no amount. */
const ASSUMED_GRAMS_MAX = 1_500;
const SHOWN_MAX = 60;

/** Why a reading cannot be estimated, and what to write instead; undefined if it can. */
export function refusalOf(
  reading: LineReading,
  line: string,
  reader: LineReader,
): CannotTell | undefined {
  const { foods, unknown, mainUnknown } = reading;
  if (foods.length === 0 || mainUnknown || unknown.length > foods.length) {
    return unknownFood(unknown[0] ?? line, line, reader);
  }
  const grams = foods.reduce((total, { weight }) => total + weight.grams, 0);
  const isAbsurd = foods.some(({ amount, weight }) => {
    return !amount.counted && !amount.measure && weight.grams > ASSUMED_GRAMS_MAX;
  });
  if (!isAbsurd && grams >= GRAMS_MIN && grams <= GRAMS_MAX) return undefined;
  return cannotTell(
    `Give an amount between ${GRAMS_MIN} g and ${GRAMS_MAX / 1000} kg in one line.`,
  );
}

function unknownFood(name: string, line: string, reader: LineReader): CannotTell {
  if (PHRASES.refers.test(line.trim())) {
    return cannotTell("Write the foods themselves: this line only refers to other entries.");
  }
  return cannotTell(unknownMessage(name, reader), shorten(asWritten(name, line)));
}

function unknownMessage(name: string, reader: LineReader): string {
  if (LISTS.pieces.has(name.split(" ").at(-1) ?? "")) {
    return "Name the food as well: these words only say how much.";
  }
  const known = "No food is known by these words";
  const words = wordsOf(reader.quantify(name).name);
  const meant = reader.index.suggest(words);
  if (meant) return `${known}. Did you mean “${meant}”?`;
  const near = reader.index.nearest(words).map(quote);
  if (near.length === 0) return `${known}: use a more common name or state its calories.`;
  return `${known}. The nearest foods are ${list(near)}; you can also state its calories.`;
}

/** The beginning of a text that a message quotes. */
function shorten(text: string): string {
  const letters = [...text];
  return letters.length <= SHOWN_MAX ? text : `${letters.slice(0, SHOWN_MAX).join("")}…`;
}

/** A text in quotation marks, shortened. */
export function quote(text: string): string {
  return `“${shorten(text)}”`;
}
