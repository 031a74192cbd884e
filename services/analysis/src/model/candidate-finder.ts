import type { Food } from "../domain/foods/food.ts";
import type { LineReader } from "../domain/line-reader.ts";
import type { FoodFinder } from "../retrieval/food-finder.ts";
import { foodOf } from "../retrieval/scored-food.ts";
import type { Candidate } from "./model-question.ts";

/** Lowest score of a candidate. A poor match misleads a model more than no candidate does. */
const MATCH_MIN = 0.75;
const PHRASES_MAX = 36;
const FOUND_FOR_PHRASE_MAX = 3;
const CANDIDATES_MAX = 8;

export interface CandidateSources {
  reader: LineReader;
  finder: FoodFinder;
}

/** The foods of our tables that each line may mean, best first, in the order of the lines. */
export async function findCandidates(
  { reader, finder }: CandidateSources,
  lines: readonly string[],
  extraFoods: readonly Food[],
): Promise<Candidate[][]> {
  const read = lines.map((line) => {
    const reading = reader.read(line, extraFoods);
    const phrases = [...reading.foods.map(({ text }) => text), ...reading.unknown];
    const matched = reading.foods.filter(({ match }) => match.score >= MATCH_MIN);
    return { phrases, matched: matched.map(({ match }) => match.food) };
  });
  const phrases = [...new Set(read.flatMap((line) => line.phrases))].slice(0, PHRASES_MAX);
  const found = phrases.length === 0 ? [] : await finder.find(phrases, FOUND_FOR_PHRASE_MAX);
  const byPhrase = new Map(phrases.map((phrase, at) => [phrase, (found[at] ?? []).map(foodOf)]));
  return read.map((line) => {
    const own = new Set(line.matched.map(({ reference }) => reference));
    const named = line.phrases.flatMap((phrase) => byPhrase.get(phrase) ?? []);
    const others = named.filter(({ reference }) => !own.has(reference));
    const distinct = new Map([...line.matched, ...others].map((food) => [food.reference, food]));
    return [...distinct.values()].slice(0, CANDIDATES_MAX);
  });
}
