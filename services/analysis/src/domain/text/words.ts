import lists from "../../../foods/words/lists.json" with { type: "json" };
import { singular } from "./spelling.ts";

/** The words of a text as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** A list of `foods/words/lists.json`, which says what each means. */
export const wordList = (name: keyof typeof lists): ReadonlySet<string> => words(lists[name].words);

/** A list with each word as lines are read: in the singular. */
export const singulars = (name: keyof typeof lists): ReadonlySet<string> =>
  new Set([...wordList(name)].map(singular));

/** Words before what a food is eaten with. */
export const WITH = words("with topped containing including w alongside");
/** Words before another food. */
export const AND = words("and plus und then also");
/** Words before what a food is eaten on. */
export const ON = words("on over onto atop");
/** Words before what a food lies, swims or was cooked in. */
export const IN = words("in");
export const OF = words("of");
export const OR = words("or");
export const INTO = words("into");
/** Says that an amount is that of each piece. */
export const EACH = words("each apiece");
/** Between a count and what it counts: "2 x 150 g". */
export const TIMES = words("x time");
