import lists from "../../../foods/words/lists.json" with { type: "json" };
import { singular } from "./spelling.ts";

/** The words of a text as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** A list of `foods/words/lists.json`, which says what each means. */
export const wordList = (name: keyof typeof lists): ReadonlySet<string> => words(lists[name].words);

/** A list with each word as lines are read: in the singular. */
export const singulars = (name: keyof typeof lists): ReadonlySet<string> =>
  new Set([...wordList(name)].map(singular));
