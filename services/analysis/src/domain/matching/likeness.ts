/** Runs of three letters, each word with two blanks before and one after it. */
export function trigramsOf(words: string): ReadonlySet<string> {
  const trigrams = new Set<string>();
  for (const word of words.split(" ")) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  }
  return trigrams;
}

/** 0 to 1: how alike two texts are as wholes, and how much of the first is in the second. */
export function likeness(
  wanted: ReadonlySet<string>,
  name: ReadonlySet<string>,
): { whole: number; part: number } {
  let shared = 0;
  for (const trigram of wanted) if (name.has(trigram)) shared += 1;
  return {
    whole: shared / (wanted.size + name.size - shared || 1),
    part: shared / (wanted.size || 1),
  };
}
