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
