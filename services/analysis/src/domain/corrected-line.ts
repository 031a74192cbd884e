import type { FoundFood } from "./found-food.ts";
import type { LineReader } from "./line-reader.ts";
import { findStatedPortion } from "./stated-figures.ts";
import { wordsOf } from "./tokens.ts";

/** What the user wrote about a line. */
export interface LineRemarks {
  readonly line: string;
  /** Context that the journal does not show; empty for none. */
  readonly details: string;
  /** What is wrong with an earlier estimate; empty for none. */
  readonly correction: string;
}

/** A match below this is no clear name of a food. */
const NAMED_SCORE = 0.9;
/** "No, it was": what follows is the correction. */
const OBJECTION = /^\s*(?:no|nope|wrong|sorry|actually|correction|not quite)\b[\s,;:.!]*/iu;

/**
 * The line as the correction or the details have it: another food ("it was brown rice"), another
 * amount ("it was 300 g in all"), or the weight that the line lacks.
 */
export function lineAsRemarked(remarks: LineRemarks, reader: LineReader): string {
  const { line, details, correction } = remarks;
  const { amount, name } = reader.quantify(line);
  const food = correction === "" ? undefined : foodNamed(correction, reader);
  if (food && reader.read(line).foods.length <= 1) return withFood(line, food, reader);
  const corrected = findStatedPortion(correction);
  if (corrected) return `${corrected} ${wordsOf(name).join(" ")}`;
  const described = amount.measure || amount.counted ? undefined : findStatedPortion(details);
  return described ? `${described} ${line}` : line;
}

/** The one food that a correction names clearly. */
function foodNamed(correction: string, reader: LineReader): FoundFood | undefined {
  const { foods, unknown } = reader.read(correction.replace(OBJECTION, ""));
  const [found] = foods;
  const isClear = foods.length === 1 && unknown.length === 0;
  return isClear && found && found.match.score >= NAMED_SCORE ? found : undefined;
}

/** The food in the amount that the correction says, or else in that of the line. */
function withFood(line: string, { text, amount }: FoundFood, reader: LineReader): string {
  if (amount.counted || amount.measure || amount.size) return text;
  const name = wordsOf(reader.quantify(line).name);
  const said = wordsOf(reader.tokensOf(line)).filter((word) => !name.includes(word));
  return [...said, text].join(" ");
}
