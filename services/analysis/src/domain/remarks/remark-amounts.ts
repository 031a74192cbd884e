import type { LineReader } from "../line-reader.ts";
import { isDescription } from "../text/name-words.ts";
import { hasAmount } from "../composition/read-part.ts";
import { findStatedPortion } from "../estimate/stated-figures.ts";
import { wordsOf } from "../text/tokens.ts";
import { findHouseholdUnit } from "../text/units.ts";

/** A match below this is no clear name of a food. */
export const NAMED_SCORE = 0.9;

/** Whether a clause is the name of one food, and no mere description such as "200 g cooked". */
export function namesOneFood(said: string, reader: LineReader): boolean {
  const { foods, unknown } = reader.read(said);
  const [found, ...others] = foods;
  if (!found || others.length > 0 || unknown.length > 0) return false;
  const isNamed = wordsOf(reader.quantify(said).name).some((word) => !isDescription(word));
  return isNamed && found.match.score >= NAMED_SCORE;
}

/** "2 eggs" of "eggs on toast": how many or how much of what the line names. */
export function withAmountOfPart(
  line: string,
  said: string,
  reader: LineReader,
): string | undefined {
  const { amount, name } = reader.quantify(said);
  const [part, ...others] = wordsOf(name);
  if (!part || !/^\p{L}+$/u.test(part)) return undefined;
  if (others.length > 0 || !hasAmount({ amount })) return undefined;
  const written = new RegExp(String.raw`(?<!\p{L})${part}s?(?!\p{L})`, "iu");
  const isBare = written.test(line) && !hasAmount(reader.quantify(line));
  return isBare ? line.replace(written, () => said) : undefined;
}

/** A size, a count or a weight that the line lacks. */
export function withAmount(line: string, said: string, reader: LineReader): string | undefined {
  const own = reader.quantify(line).amount;
  const { amount, name } = reader.quantify(said);
  if (name.length === 0 && amount.size && !amount.unit && !amount.counted) {
    const isSized = own.size !== undefined || own.measure !== undefined;
    return isSized ? undefined : `${line} ${said}`;
  }
  if (own.measure || own.counted) return undefined;
  const isOnlyUnit = name.length === 1 && findHouseholdUnit(wordsOf(name)[0] ?? "");
  const isAmount =
    (name.length === 0 || isOnlyUnit) && (amount.counted || amount.measure || amount.unit);
  // "30 g feta" is no amount of the salad.
  const portion = isAmount
    ? said
    : namesOneFood(said, reader)
      ? undefined
      : findStatedPortion(said);
  return portion && `${portion} ${line}`;
}

const BEFORE =
  "(?:it|that|this|there|they|i|we|was|were|is|only|just|about|ate|had|eaten|finished|really|actually|more|like|make|roughly|a|the|closer|to)";
const AFTER =
  "(?: (?:of|as|that|it|this|the|much|many|amount|portion|size|them|those|serving|listed|logged|estimate|one|what|i|you|said))*";
const RELATIVE = new RegExp(
  String.raw`^(?:${BEFORE}\s+)*(half|third|two thirds|2 thirds|quarter|three quarters|3 quarters|1/2|1/3|2/3|1/4|3/4|\d{1,3} ?%|twice|double|triple|(?:two|three|four|\d(?:\.\d)?) ?(?:x|times))${AFTER}[.!]*$`,
  "iu",
);
const FACTORS: ReadonlyMap<string, number> = new Map([
  ["half", 1 / 2],
  ["third", 1 / 3],
  ["two thirds", 2 / 3],
  ["2 thirds", 2 / 3],
  ["quarter", 1 / 4],
  ["three quarters", 3 / 4],
  ["3 quarters", 3 / 4],
  ["1/2", 1 / 2],
  ["1/3", 1 / 3],
  ["2/3", 2 / 3],
  ["1/4", 1 / 4],
  ["3/4", 3 / 4],
  ["twice", 2],
  ["double", 2],
  ["triple", 3],
  ["two", 2],
  ["three", 3],
  ["four", 4],
]);

/**
 * How many times the line's amount a correction says it was: 0.5 of "only half of that", 2 of "twice
 * as much"; undefined when it says anything else, such as "half an avocado".
 */
export function readRelativeAmount(correction: string): number | undefined {
  const found = RELATIVE.exec(correction.trim())?.[1]?.toLowerCase();
  if (found === undefined) return undefined;
  if (found.endsWith("%")) return Number(found.replace("%", "")) / 100;
  const name = found.replace(/ ?(?:x|times)$/u, "");
  return FACTORS.get(name) ?? Number(name);
}
