import phrases from "../../../foods/words/phrases.json" with { type: "json" };

const COMPILED = Object.entries(phrases).map(([name, { pattern }]) => [
  name,
  new RegExp(pattern, "iu"),
]);
/** The expressions of `foods/words/phrases.json`, which explains each. */
export const PHRASES = Object.fromEntries(COMPILED) as Readonly<
  Record<keyof typeof phrases, RegExp>
>;
