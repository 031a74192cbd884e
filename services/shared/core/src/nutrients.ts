// The registry of nutrients. Columns, schemas, exports, pages and messages derive from this table;
// CONTRIBUTING.md lists the few places that are written by hand.

export type Unit = "kcal" | "g" | "mg" | "ml";

/**
 * A nutrient of FoodData Central: its id, the older number that some downloads use instead, and the
 * divisor that converts its amounts to our unit.
 */
export type FdcNutrient = readonly [id: number, number: number, per?: number];

/** An amount with daily totals, for which a person may set a goal. */
export interface DailyAmount {
  /**
   * Name in JSON documents and column of `items`; with the prefix `goal_`, column of `settings`.
   */
  readonly key: string;
  /** Name as a heading. */
  readonly label: string;
  /** Name in running text. */
  readonly name: string;
  readonly unit: Unit;
}

/** A nutrient of foods. Amounts are exact to hundredths of the unit. */
export interface NutrientDefinition extends DailyAmount {
  /** How prominently it is shown. */
  readonly kind: "energy" | "macro" | "minor";
  /** Whether its goal is an upper limit; otherwise exceeding the goal is fine. */
  readonly isCeiling: boolean;
  /** Its nutrients in FoodData Central, in order of preference. */
  readonly fdc: readonly FdcNutrient[];
}

const KJ_PER_KCAL = 4.184;

/** The nutrients of foods, in the order of JSON documents. `calories` is known for every food. */
export const NUTRIENTS = [
  {
    key: "calories",
    label: "Energy",
    name: "energy",
    unit: "kcal",
    kind: "energy",
    isCeiling: true,
    // Foundation foods may lack 1008 and have 2048 (specific factors) or 2047 (general factors)
    // instead.
    fdc: [
      [1008, 208],
      [2048, 958],
      [2047, 957],
      [1062, 268, KJ_PER_KCAL],
    ],
  },
  {
    key: "protein",
    label: "Protein",
    name: "protein",
    unit: "g",
    kind: "macro",
    isCeiling: false,
    fdc: [[1003, 203]],
  },
  {
    key: "carbs",
    label: "Carbohydrate",
    name: "carbs",
    unit: "g",
    kind: "macro",
    isCeiling: true,
    fdc: [
      [1005, 205],
      [1050, 205.2],
    ],
  },
  {
    key: "fat",
    label: "Fat",
    name: "fat",
    unit: "g",
    kind: "macro",
    isCeiling: true,
    fdc: [
      [1004, 204],
      [1085, 298],
    ],
  },
  {
    key: "sugar",
    label: "Sugar",
    name: "sugar",
    unit: "g",
    kind: "minor",
    isCeiling: true,
    fdc: [
      [2000, 269],
      [1063, 269.3],
    ],
  },
  {
    key: "fiber",
    label: "Fiber",
    name: "fiber",
    unit: "g",
    kind: "minor",
    isCeiling: false,
    fdc: [
      [1079, 291],
      [2033, 293],
    ],
  },
  {
    key: "sodium",
    label: "Sodium",
    name: "sodium",
    unit: "mg",
    kind: "minor",
    isCeiling: true,
    fdc: [[1093, 307]],
  },
] as const satisfies readonly NutrientDefinition[];

/** Plain water, which is counted apart from the nutrients of foods. */
export const WATER = {
  key: "water_milliliters",
  label: "Water",
  name: "water",
  unit: "ml",
} as const satisfies DailyAmount;

/** Everything with daily totals. */
export const DAILY_AMOUNTS = [...NUTRIENTS, WATER] as const;

export const MACROS = NUTRIENTS.filter((nutrient) => nutrient.kind === "macro");
/** Neither energy nor macronutrients. */
export const OTHERS = NUTRIENTS.filter((nutrient) => nutrient.kind === "minor");

/** How to show a nutrient. */
export type ShownNutrient = (typeof MACROS | typeof OTHERS)[number];

export type NutrientKey = (typeof NUTRIENTS)[number]["key"];
export type DailyAmountKey = (typeof DAILY_AMOUNTS)[number]["key"];

export const NUTRIENT_KEYS: readonly NutrientKey[] = NUTRIENTS.map(({ key }) => key);

/** Amounts of a food; null is unknown, and never counted as 0. */
export type NutrientAmounts = { calories: number } & Record<
  Exclude<NutrientKey, "calories">,
  number | null
>;

/** The field name of a key in a Protobuf message, such as `waterMilliliters`. */
type FieldName<Key extends string> = Key extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldName<Rest>>}`
  : Key;

/** Amounts in a Protobuf message; an absent one is unknown. */
export type AmountFields<Key extends DailyAmountKey> = {
  readonly [One in Key as FieldName<One>]?: number;
};

/** An object with a member for each of `amounts`. */
export function byKey<Amount extends DailyAmount, Value>(
  amounts: readonly Amount[],
  value: (amount: Amount) => Value,
): Record<Amount["key"], Value> {
  const members = amounts.map((amount) => [amount.key, value(amount)]);
  return Object.fromEntries(members) as Record<Amount["key"], Value>;
}

/** `MessageAmounts` as read from a message. */
type ReadFields<Key extends DailyAmountKey> = {
  readonly [Name in keyof AmountFields<Key>]: AmountFields<Key>[Name] | undefined;
};

export function amountOf<Key extends DailyAmountKey>(
  fields: ReadFields<Key> | undefined,
  key: Key,
): number | undefined {
  return (fields as Readonly<Record<string, number | undefined>> | undefined)?.[FIELD_NAMES[key]];
}

/** Amounts of which some may be unknown: null, undefined or absent. */
export type PartialAmounts = { readonly [Key in NutrientKey]?: number | null | undefined };

/** The amounts of a message in which the energy is required. */
export function amountsOf(
  fields: ReadFields<NutrientKey> & { readonly calories: number },
): NutrientAmounts {
  return byKey(NUTRIENTS, ({ key }) => amountOf(fields, key) ?? null) as NutrientAmounts;
}

/** Amounts for a message; unknown ones are omitted. */
export function amountFields(amounts: PartialAmounts): AmountFields<NutrientKey> {
  const known = NUTRIENT_KEYS.filter((key) => amounts[key] != null);
  return Object.fromEntries(known.map((key) => [FIELD_NAMES[key], amounts[key]]));
}

const FIELD_NAMES = byKey(DAILY_AMOUNTS, ({ key }) =>
  key.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
);
