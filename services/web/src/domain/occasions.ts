/** Meals and times of day in the order of a day. */
const ORDER = [
  "breakfast",
  "morning",
  "brunch",
  "lunch",
  "afternoon",
  "snack",
  "dinner",
  "evening",
];

/** Items of one meal or time of day. */
export interface OccasionGroup<Item> {
  /** Such as `breakfast`; undefined for items without one. */
  readonly occasion: string | undefined;
  readonly items: readonly Item[];
}

/** Groups items by meal or time of day, in the order of a day; items without one come last. */
export function groupByOccasion<Item extends { readonly id: string }>(
  items: readonly Item[],
  occasions: Readonly<Record<string, string>>,
): OccasionGroup<Item>[] {
  const groups = Map.groupBy(items, ({ id }) => occasions[id]);
  return [...groups]
    .map(([occasion, members]) => ({ occasion, items: members }))
    .toSorted((one, other) => rankOf(one.occasion) - rankOf(other.occasion));
}

function rankOf(occasion: string | undefined): number {
  if (occasion === undefined) return ORDER.length + 1;
  const at = ORDER.indexOf(occasion);
  return at === -1 ? ORDER.length : at;
}
