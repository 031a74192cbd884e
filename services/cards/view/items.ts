import { el } from "./dom.ts";
import type { FoodItem } from "./documents.ts";
import type { RowSetting } from "./item-row.ts";
import { ItemRow } from "./item-row.ts";

/** Number of lines shown at first; a long day collapses the others. */
const UNFOLDED_MAX = 12;

/** The items in their groups: food, then plain water. */
export function itemGroups(items: readonly FoodItem[], setting: RowSetting): HTMLElement[] {
  const groups = [
    { title: "Food and drink", items: items.filter((item) => !item.is_water_entry) },
    { title: "Water", items: items.filter((item) => item.is_water_entry) },
  ];
  return groups
    .filter((group) => group.items.length > 0)
    .map((group) => el("div", {}, el("h2", {}, group.title), itemList(group.items, setting)));
}

/** A list of rows; collapsed rows are created when the list is expanded. */
export function itemList(items: readonly FoodItem[], setting: RowSetting): HTMLElement {
  const first = items.length <= UNFOLDED_MAX ? items : items.slice(0, UNFOLDED_MAX - 2);
  const others = items.slice(first.length);
  const rows = (some: readonly FoodItem[]) =>
    el(
      "ul",
      { class: "items" },
      some.map((item) => new ItemRow(item, setting).element),
    );
  if (others.length === 0) return rows(first);
  return el(
    "div",
    {},
    rows(first),
    fold(`${others.length} more`, () => rows(others)),
  );
}

/** A disclosure whose content is created when it is first opened. */
export function fold(summary: Node | string, make: () => HTMLElement): HTMLDetailsElement {
  const details = el("details", {}, el("summary", {}, summary));
  details.addEventListener("toggle", () => details.append(make()), { once: true });
  return details;
}
