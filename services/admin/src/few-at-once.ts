const AT_ONCE = 20;

/** What `work` makes of each item, in their order; only a few are worked on at once. */
export async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}
