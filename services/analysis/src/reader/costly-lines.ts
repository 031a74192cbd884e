import { ALL_LINES, type LinesToRead } from "../operations/food-reader.ts";
import type { WorkOf } from "./messages.ts";

/** The texts of a call, by line; other calls than those of lines have one text. */
function textsOf(work: WorkOf): readonly string[] {
  if (!isLines(work)) return [JSON.stringify(work)];
  const { lines, details, correction } = work;
  return lines.map((line) => JSON.stringify([line, details, correction]));
}

function isLines(work: WorkOf): work is LinesToRead {
  return typeof work === "object" && "lines" in work;
}

/** The lines of a call that `line` stands for. */
export function linesMeant(work: WorkOf, line: number): number[] {
  return line === ALL_LINES ? [...textsOf(work).keys()] : [line];
}

/** The lines of another call with the same text and remarks as those lines of `work`, which would cost as much. */
export function sameLines(other: WorkOf, work: WorkOf, lines: readonly number[]): number[] {
  const texts = textsOf(work);
  const costly = new Set(lines.map((at) => texts[at]));
  return [...textsOf(other).entries()].flatMap(([at, text]) => (costly.has(text) ? [at] : []));
}
