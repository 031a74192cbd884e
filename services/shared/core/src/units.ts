/** Units that a person can choose for each quantity; stored figures are in the first. */
export const UNIT_CHOICES = {
  energy: ["kcal", "kJ"],
  weight: ["kg", "lb", "st"],
  height: ["cm", "ft"],
  water: ["ml", "l", "fl_oz"],
} as const;

/** A quantity with a choice of units. */
export type Quantity = keyof typeof UNIT_CHOICES;

/** Units in which a person reads and enters figures. */
export type Units = { readonly [Name in Quantity]: (typeof UNIT_CHOICES)[Name][number] };

/** A unit of any quantity. */
export type Unit = Units[Quantity];

/**
 * Key in the `_meta` of a tool's result for the person's display units, such as
 * `{ energy: "kJ", water: "fl_oz" }`, which cards use.
 */
export const UNITS_META_KEY = "nutrition-journal/units";

/** Number of stored units in one display unit; for units written in two parts, in the larger part. */
export const STORED_PER_UNIT: Readonly<Record<Unit, number>> = {
  kcal: 1,
  kJ: 1 / 4.184,
  kg: 1,
  lb: 0.453_592_37,
  st: 6.350_293_18,
  cm: 1,
  ft: 30.48,
  ml: 1,
  l: 1_000,
  fl_oz: 29.573_529_562_5,
};

/** Units written in two parts, with the name and number of the smaller part. */
export const SMALLER_UNITS = {
  st: { name: "lb", count: 14 },
  ft: { name: "in", count: 12 },
} as const;

/** Whether `unit` is a choice for the quantity. */
export function isUnitOf<Name extends Quantity>(
  quantity: Name,
  unit: unknown,
): unit is Units[Name] {
  return (UNIT_CHOICES[quantity] as readonly unknown[]).includes(unit);
}

/** A stored amount in the unit, unrounded. */
export function inUnit(stored: number, unit: Unit): number {
  return stored / STORED_PER_UNIT[unit];
}

/** How a unit is written. */
export function unitName(unit: Unit): string {
  return unit === "fl_oz" ? "fl oz" : unit;
}

/** An amount in whole and smaller units, such as 11 stones and 3.1 pounds. */
export function inTwoParts(stored: number, unit: keyof typeof SMALLER_UNITS) {
  const { name, count } = SMALLER_UNITS[unit];
  const tenths = Math.round(inUnit(stored, unit) * count * 10);
  return { whole: Math.floor(tenths / (count * 10)), rest: (tenths % (count * 10)) / 10, name };
}
