/**
 * Reads items in runs: at each place the longest run, of at most `lengthMax` items, for which `read`
 * has results. Drops an item without results.
 */
export function readRuns<Item, Result>(
  items: readonly Item[],
  lengthMax: number,
  read: (run: readonly Item[]) => readonly Result[] | undefined,
): Result[] {
  const results: Result[] = [];
  for (let at = 0; at < items.length;) {
    let length = Math.min(lengthMax, items.length - at);
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
