import lists from "../../../foods/words/lists.json" with { type: "json" };
import { singular } from "./spelling.ts";

/** The words of a text as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const MEMBERS = Object.entries(lists).map(([name, list]) => [name, withSingulars(list.words)]);
/** The lists of `foods/words/lists.json`, which explains each, with every word also in the singular. */
export const LISTS = Object.fromEntries(MEMBERS) as Readonly<
  Record<keyof typeof lists, ReadonlySet<string>>
>;

function withSingulars(text: string): ReadonlySet<string> {
  return new Set(text.split(" ").flatMap((word) => [word, singular(word)]));
}

/** Words before something eaten with a food. */
export const WITH = words("with topped containing including w alongside");
/** Words before another food. */
export const AND = words("and plus und then also");
/** Words before the base that a food is eaten on. */
export const ON = words("on over onto atop");
/** Words before a packing or cooking medium. */
export const IN = words("in");
export const OF = words("of");
export const OR = words("or");
/** Words that make an amount that of each piece. */
export const EACH = words("each apiece");
/** Words between a count and an amount: "2 x 150 g". */
export const TIMES = words("x time");
