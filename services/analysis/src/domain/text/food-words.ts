/** Longest name that is read; the rest of a longer one is ignored. */
const NAME_MAX = 500;

/** Text in lower case, without accents, apostrophes and marks, its words parted by one space. */
export function foldWords(text: string): string {
  return text
    .slice(0, NAME_MAX)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’`´]/gu, "")
    .replace(/&/gu, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** First parts of USDA names that say what class a food is of, not what it is. */
const CLASSES: ReadonlySet<string> = new Set([
  "alcoholic beverage",
  "alcoholic beverages",
  "beverage",
  "beverages",
  "candies",
  "cereals",
  "cereals ready to eat",
  "crustaceans",
  "fast food",
  "fast foods",
  "fish",
  "formulated bar",
  "game meat",
  "leavening agents",
  "mollusks",
  "nuts",
  "restaurant",
  "salad dressing",
  "seeds",
  "snack",
  "snacks",
  "spices",
  "sweeteners",
]);

/** The words of a food's name that say what it is: "almonds" of "Nuts, almonds, dry roasted". */
export function headWords(name: string): string {
  const parts = name.split(",").map(foldWords);
  const [first = "", second = ""] = parts;
  return CLASSES.has(first) && second !== "" ? second : first;
}
