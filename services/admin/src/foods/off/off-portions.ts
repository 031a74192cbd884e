import { distinctPortions, portionOf } from "../import-row.ts";
import { plainText } from "./plain-text.ts";

export const PORTION_COLUMNS = [
  "quantity",
  "product_quantity",
  "serving_size",
  "serving_quantity",
] as const;

type PortionCells = Readonly<Record<(typeof PORTION_COLUMNS)[number], string>>;

const TEXT_MAX = 60;
const SERVING_MAX = 2_000;
const PACKAGE_MAX = 5_000;
const FLUID_OUNCE_ML = 29.573_53;
const MEASURED =
  /(?<!\d)(\d+(?:[.,]\d+)?)\s*(kg|g|gr|grams?|ml|cl|dl|l|litres?|liters?)(?![\p{L}\d])/iu;
const FACTORS: Readonly<Record<string, number>> = { k: 1_000, c: 10, d: 100, l: 1_000 };
/** The text before and inside parentheses: "2 biscuits (25 g)", "25 g (2 biscuits)". */
const BRACKETED = /^([^()]+)\(([^()]+)\)$/u;

/**
 * Portions of a product in grams. Milliliters count as grams, because labels of drinks state
 * figures per 100 ml. A fluid ounce shows that the product is measured by volume.
 */
export function portionsOf(cells: PortionCells): { name: string; grams: number }[] {
  const servingText = plainText(cells.serving_size, TEXT_MAX);
  const serving = gramsOf(cells.serving_quantity, servingText, SERVING_MAX);
  const whole = gramsOf(cells.product_quantity, cells.quantity, PACKAGE_MAX);
  const isVolume = [servingText, cells.quantity].some((text) =>
    /l/iu.test(measureIn(text)?.[2] ?? ""),
  );
  return distinctPortions([
    serving === undefined ? undefined : portionOf("serving", serving),
    serving === undefined ? undefined : portionOf(householdName(servingText), serving),
    whole === undefined ? undefined : portionOf("package", whole),
    isVolume ? portionOf("fl oz", FLUID_OUNCE_ML) : undefined,
  ]);
}

/** The quantity that Open Food Facts computed; otherwise the one in the text. */
function gramsOf(computed: string, text: string, most: number): number | undefined {
  const [, digits = "", unit = ""] = measureIn(text) ?? [];
  const factor = /^(?:gr?|grams?|ml)$/iu.test(unit)
    ? 1
    : (FACTORS[unit.charAt(0).toLowerCase()] ?? 1);
  const grams = Number(computed) || Number(digits.replace(",", ".")) * factor;
  return grams > 0 && grams <= most ? grams : undefined;
}

function measureIn(text: string): RegExpExecArray | null {
  return MEASURED.exec(text.slice(0, TEXT_MAX));
}

/** The part that does not state a weight; empty if there is none. */
function householdName(said: string): string {
  const sides = (BRACKETED.exec(said) ?? []).slice(1).map((side) => side.trim());
  return (
    sides.find((side) => !MEASURED.test(side) && /^\d+(?:[.,/]\d+)?\s+\p{L}/u.test(side)) ?? ""
  );
}
