import { cannotTell } from "./estimate.ts";
import type { CannotTell } from "./estimate.ts";
import { asWritten, list } from "./comment.ts";
import type { LineReader, LineReading } from "../line-reader.ts";
import { LISTS } from "../text/words.ts";

/** Minimum and maximum weight of a line in grams. */
export const GRAMS_MIN = 0.1;
export const GRAMS_MAX = 5_000;
/** Maximum weight of a food in grams if the text states no amount. */
const ASSUMED_GRAMS_MAX = 1_500;
const NAME_SHOWN_MAX = 60;
/** Lines that refer to other entries: "same as yesterday", "the usual", "actually it was two". */
const REFERS =
  /^(?:the |my |a )?(?:same|usual|ditto|again|repeat|previous|another one|one more)\b|\bas (?:yesterday|before|usual|always)\b|^(?:(?:no|sorry|actually|correction)\b[\s,]*)*(?:it|that|they|there)(?:'s)? (?:was|were|is|are)\b/iu;

/** Why a reading cannot be estimated, and what to write instead; undefined if it can. */
export function refusalOf(
  reading: LineReading,
  line: string,
  reader: LineReader,
): CannotTell | undefined {
  const { foods, unknown, mainUnknown } = reading;
  if (foods.length === 0 || mainUnknown || unknown.length > foods.length) {
    return cannotTell(unknownMessage(unknown[0] ?? line, line, reader));
  }
  const grams = foods.reduce((total, { weight }) => total + weight.grams, 0);
  const isAbsurd = foods.some(({ amount, weight }) => {
    return !amount.counted && !amount.measure && weight.grams > ASSUMED_GRAMS_MAX;
  });
  if (grams >= GRAMS_MIN && grams <= GRAMS_MAX && !isAbsurd) return undefined;
  return cannotTell(
    `Give an amount between ${GRAMS_MIN} g and ${GRAMS_MAX / 1000} kg in one line.`,
  );
}

function unknownMessage(name: string, line: string, reader: LineReader): string {
  if (REFERS.test(line.trim())) {
    return "Write the foods themselves: this line only refers to other entries.";
  }
  const written = shorten(asWritten(name, line));
  if (LISTS.pieces.has(name.split(" ").at(-1) ?? "")) return `Name the food: ${written} of what?`;
  const known = `No food is known as “${written}”`;
  const meant = reader.suggest(name);
  if (meant) return `${known}. Did you mean “${meant}”?`;
  const near = reader.nearest(name).map((food) => `“${food}”`);
  if (near.length === 0) return `${known}: use a more common name or state its calories.`;
  return `${known}. The nearest foods are ${list(near)}; you can also state its calories.`;
}

function shorten(name: string): string {
  const letters = [...name];
  return letters.length <= NAME_SHOWN_MAX ? name : `${letters.slice(0, NAME_SHOWN_MAX).join("")}…`;
}
