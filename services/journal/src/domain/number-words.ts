/** Number words by their spelling without diacritics. */
const WORDS: Readonly<Record<number, string>> = {
  0: "zero null cero",
  1: "one eins",
  2: "two zwei deux dos due dois duas twee",
  3: "three drei trois tres tre drie",
  4: "four vier quatre cuatro quattro quatro",
  5: "five funf cinq cinco cinque vijf",
  6: "six sechs seis sei zes",
  7: "seven sieben sept siete sette sete zeven",
  8: "eight acht huit ocho otto oito",
  9: "nine neun neuf nueve nove negen",
  10: "ten zehn dix diez dieci dez tien",
  11: "eleven elf onze undici",
  12: "twelve zwolf douze doce dodici doze twaalf",
  13: "thirteen",
  14: "fourteen",
  15: "fifteen",
  16: "sixteen",
  17: "seventeen",
  18: "eighteen",
  19: "nineteen",
  20: "twenty zwanzig vingt veinte venti vinte twintig",
  30: "thirty",
  40: "forty",
  50: "fifty",
  60: "sixty",
  70: "seventy",
  80: "eighty",
  90: "ninety",
  100: "hundred hundert cent cien cento cem honderd",
};

/** Fractions by their denominator. */
const PARTS: Readonly<Record<number, string>> = { 2: "half", 3: "third", 4: "quarter" };

/** The value of a word, written as a number or a fraction. */
export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ...entriesOf(WORDS, (value) => value),
  ...entriesOf(PARTS, (value) => `1/${value}`),
]);

function entriesOf(
  words: Readonly<Record<number, string>>,
  write: (value: string) => string,
): [string, string][] {
  return Object.entries(words).flatMap(([value, names]) =>
    names.split(" ").map((name): [string, string] => [name, write(value)]),
  );
}
