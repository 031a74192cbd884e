import type { Food } from "../domain/foods/food.ts";
import { densityOf, readPortions } from "../domain/foods/imported-portions.ts";
import type { StoredFood } from "../store/stored-food.ts";

/** An imported food in the form of the curated table's. */
export function foodOf(stored: StoredFood): Food {
  const { calories, protein, carbs, fat, sugar, fiber, sodium } = stored;
  const known = Object.entries({ protein, carbs, fat, sugar, fiber, sodium }).filter(
    ([, amount]) => amount !== null,
  );
  const density = densityOf(stored.portions);
  return {
    name: stored.source !== "branded" ? plainName(stored.name) : stored.name,
    aliases: [],
    group: stored.source,
    kind: density === undefined ? "food" : "drink",
    per100Grams: { calories, ...Object.fromEntries(known) },
    alcoholPer100Grams: 0,
    gramsPerMilliliter: density,
    portions: readPortions(stored.portions, stored.name),
    reference: stored.reference,
    ...(stored.brand ? { brand: stored.brand } : {}),
  };
}

/** "Beans, NFS" and "Fried egg, NS as to fat" without the survey's abbreviations. */
function plainName(name: string): string {
  const said = name.replace(/,? (?:NFS|NS as to [^,]*)/gu, "");
  return `${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}
