import type { CivilDate } from "@nutrition/core/civil-date";
import { foreignText } from "@nutrition/core/foreign-text";

import { plainDate } from "./moments.ts";

/** Enough to recognize a line by. */
const QUOTED_CHARACTERS = 120;

/** Identifies a line of a day in words. */
export interface ItemReference {
  readonly date: CivilDate;
  /** Position among the day's lines, from 1. */
  readonly line: number;
  readonly description: string | null;
}

/** The beginning of a request to an assistant to change a line; the person completes it. */
export function changeSentence(item: ItemReference): string {
  return `In my food journal, change ${nameOf(item)} to:`;
}

/** A request to an assistant to delete a line. */
export function deleteSentence(item: ItemReference): string {
  return `In my food journal, delete ${nameOf(item)}.`;
}

/** Position and text: either alone may be ambiguous by the time the assistant reads it. */
function nameOf({ date, line, description }: ItemReference): string {
  const text = foreignText(description ?? "", QUOTED_CHARACTERS);
  const quoted = text === "" ? "" : ` (“${text}”)`;
  return `line ${line} of ${plainDate(date)}${quoted}`;
}
