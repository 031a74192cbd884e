import type { Estimate, LineResult } from "./estimate.ts";
import { LINE_STEPS_MAX } from "../line-reader.ts";
import type { LineReader } from "../line-reader.ts";
import { scaleNutrients } from "../foods/nutrients.ts";
import { amountRatio } from "./remembered.ts";
import type { RememberedItem } from "./remembered.ts";
import { estimateStated, findDoubtedZero, readStatedFigures } from "./stated-figures.ts";
import type { StatedFigures } from "./stated-figures.ts";
import { estimateFromTable } from "./table-estimate.ts";
import type { TableInput } from "./table-estimate.ts";
import { wordsOf } from "../text/tokens.ts";

/** One line to estimate, with what is known about it. */
export interface LineInput extends TableInput {
  readonly remembered: readonly RememberedItem[];
}

interface Asked {
  readonly input: LineInput;
  readonly reader: LineReader;
}

/** Trust in an estimate that replaces a stated 0 kcal. */
const DOUBTED_TRUST = 0.85;
const REMEMBERED_CONFIDENCE = 0.97;

/**
 * Estimates a line from the first source that has an answer: figures that the correction states,
 * the user's own corrected item for the same phrase, figures that the line or the details state,
 * the food table.
 */
export function estimateLine(input: LineInput, reader: LineReader): LineResult {
  return reader.work.within(LINE_STEPS_MAX, () => estimate(input, reader));
}

function estimate(input: LineInput, reader: LineReader): LineResult {
  const { line, details, correction } = input;
  const corrected = readStatedFigures(correction);
  if (corrected) return estimateStated(corrected, line, reader);
  const remembered = correction === "" ? estimateRemembered(input, reader) : undefined;
  if (remembered) return remembered;
  const stated = readStatedFigures(line);
  if (stated) return believed(stated, stated.rest, { input, reader });
  const described = readStatedFigures(details);
  if (described) return believed(described, line, { input, reader });
  return estimateFromTable(input, reader);
}

/** The stated figures; an estimate instead if they state 0 kcal for a food that has energy. */
function believed(figures: StatedFigures, text: string, { input, reader }: Asked): LineResult {
  const food = findDoubtedZero(figures, text, reader);
  if (food === undefined) return estimateStated(figures, text, reader);
  const result = estimateFromTable({ ...input, line: food, details: "" }, reader);
  if (result.kind === "cannot_tell") return result;
  const comment = `Did not take the stated 0 kcal. ${result.comment}`.trim();
  return { ...result, comment, confidence: result.confidence * DOUBTED_TRUST };
}

function estimateRemembered(input: LineInput, reader: LineReader): Estimate | undefined {
  if (input.remembered.length === 0) return undefined;
  const words = wordsIn(input.line, reader);
  const now = reader.quantify(input.line);
  const name = wordsOf(now.name).join(" ");
  // "Toast with 3 eggs" has no single amount that scales the whole line.
  const { foods, unknown } = reader.read(input.line);
  const isOneFood = foods.length + unknown.length <= 1 && name !== "";
  for (const item of input.remembered) {
    const before = reader.quantify(item.text);
    const isSame = words === "" ? item.text === input.line : wordsIn(item.text, reader) === words;
    const isSameName = isOneFood && wordsOf(before.name).join(" ") === name;
    const ratio = isSame
      ? 1
      : isSameName && amountRatio(now.amount, before.amount, reader.find(now.name));
    if (!ratio) continue;
    return {
      kind: "estimate",
      nutrients: scaleNutrients(item.nutrients, ratio),
      isWater: item.waterMilliliters > 0,
      waterMilliliters: item.waterMilliliters * ratio,
      confidence: REMEMBERED_CONFIDENCE,
      comment: "Used your earlier correction of the same food.",
      provenance: "user_memory",
      components: [],
    };
  }
  return undefined;
}

function wordsIn(line: string, reader: LineReader): string {
  return wordsOf(reader.tokensOf(line)).join(" ");
}
