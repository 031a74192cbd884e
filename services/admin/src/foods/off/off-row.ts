import { isGtin } from "@nutrition/core/gtin";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

import type { ImportRow } from "../import-row.ts";
import { FIGURE_COLUMNS, figuresOf } from "./off-figures.ts";
import { PORTION_COLUMNS, portionsOf } from "./off-portions.ts";
import { plainText } from "./plain-text.ts";

const TEXT_COLUMNS = ["code", "product_name", "generic_name", "brands", "brand_owner"] as const;

/** The columns to read, of about 200. */
export const OFF_COLUMNS = [...TEXT_COLUMNS, ...FIGURE_COLUMNS, ...PORTION_COLUMNS] as const;
/** Columns that every export of Open Food Facts has. */
export const REQUIRED_COLUMNS = ["code", "product_name", "energy_100g"] as const;

export type OffCells = Readonly<Record<(typeof OFF_COLUMNS)[number], string>>;

const NAME_MAX = 200;
const BRAND_MAX = 120;
const CODE = /^\d{1,24}$/u;
const NO_CODE = "Its code is not a number.";
const NO_NAME = "It has no name.";
const NOT_FOUND_BY = "It has neither a brand nor a valid barcode, so no search could find it.";

/** The product of a row, or the reason why the row is unusable; `line` is the row's number. */
export function rowOf(cells: OffCells, line: string): ImportRow {
  const code = cells.code.trim();
  if (!CODE.test(code)) return { reference: line, problem: NO_CODE };
  const reference = `off:${code}`;
  const name = plainText(cells.product_name, NAME_MAX) || plainText(cells.generic_name, NAME_MAX);
  if (name === "") return { reference, problem: NO_NAME };
  const [first = ""] = cells.brands.split(",");
  const brand = plainText(first, BRAND_MAX) || plainText(cells.brand_owner, BRAND_MAX);
  // Shops and Open Food Facts itself assign codes that are not barcodes.
  const gtin = isGtin(code) ? code : "";
  if (brand === "" && gtin === "") return { reference, problem: NOT_FOUND_BY };
  const read = figuresOf(cells);
  if ("problem" in read) return { reference, problem: read.problem };
  const source = FoodSource.BRANDED;
  const { figures: per100g } = read;
  const portions = portionsOf(cells);
  return { food: { reference, name, source, brand, gtin, aliases: [], per100g, portions } };
}
