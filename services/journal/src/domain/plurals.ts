/** Plural endings with their singular endings. Every matching rule yields a possible singular. */
const ENDINGS: readonly (readonly [plural: RegExp, singulars: readonly string[]])[] = [
  [/ies$/, ["y", "ie"]],
  [/ves$/, ["f", "fe"]],
  [/(?<=(?:s|sh|ch|x|z|o))es$/, [""]],
  // Spanish and Portuguese, in words too long to be another English one: "limones", not "cones".
  [/(?<=.{4}[lnrdj])es$/, [""]],
  [/(?<=[^s])s$/, [""]],
  [/(?<=eau|eu)x$/, [""]],
  [/(?<=el)n$/, [""]],
  [/(?<=e)n$/, [""]],
];

/** Irregular plurals, without diacritics. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["geese", "goose"],
  ["eier", "ei"],
  ["brote", "brot"],
  ["nusse", "nuss"],
  ["wurste", "wurst"],
  ["fische", "fisch"],
  ["kekse", "keks"],
  ["salate", "salat"],
  ["uova", "uovo"],
  ["mele", "mela"],
  ["pomodori", "pomodoro"],
]);

const SINGULAR_LENGTH_MIN = 3;

/** Whether two words, lower case and without diacritics, are equal or one is the other's plural. */
export function isSameNoun(one: string, other: string): boolean {
  return one === other || singularsOf(one).includes(other) || singularsOf(other).includes(one);
}

/** Possible singulars of the word; not all of them need to be words. */
function singularsOf(word: string): string[] {
  const irregular = IRREGULAR.get(word);
  const regular = ENDINGS.filter(([plural]) => plural.test(word)).flatMap(([plural, singulars]) =>
    singulars.map((singular) => word.replace(plural, singular)),
  );
  const known = regular.filter(({ length }) => length >= SINGULAR_LENGTH_MIN);
  return irregular === undefined ? known : [irregular, ...known];
}
