/**
 * Reads items run by run, the longest run first that `read` has results for. An item that it has
 * none for, even alone, is left out.
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
