/**
 * Reads items in runs: at each place the longest run, of at most `lengthMax` items, for which `read`
 * has results. Drops an item without results. `lengthMax` may depend on the first item.
 */
export function readRuns<Item, Result>(
  items: readonly Item[],
  lengthMax: number | ((first: Item) => number),
  read: (run: readonly Item[]) => readonly Result[] | undefined,
): Result[] {
  const results: Result[] = [];
  for (let at = 0; at < items.length;) {
    const most = typeof lengthMax === "number" ? lengthMax : lengthMax(items[at] as Item);
    let length = Math.min(most, items.length - at);
    let found = read(items.slice(at, at + length));
    while (found === undefined && length > 1) {
      length -= 1;
      found = read(items.slice(at, at + length));
    }
    results.push(...(found ?? []));
    at += length;
  }
  return results;
}

/** The number of words of the longest phrase that begins with a word; 1 if none does. */
export function runLengths(phrases: Iterable<string>): (first: string) => number {
  const lengths = new Map<string, number>();
  for (const phrase of phrases) {
    const words = phrase.split(" ");
    const [first = ""] = words;
    lengths.set(first, Math.max(words.length, lengths.get(first) ?? 1));
  }
  return (first) => lengths.get(first) ?? 1;
}
