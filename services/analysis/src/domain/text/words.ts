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

export const {
  and: AND,
  each: EACH,
  in: IN,
  of: OF,
  on: ON,
  or: OR,
  times: TIMES,
  with: WITH,
} = LISTS;
