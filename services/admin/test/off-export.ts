import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** Columns of the export before the nutrients, in its order (openfoodfacts.org/data/data-fields.txt). */
const GENERAL =
  "code url creator created_t created_datetime last_modified_t last_modified_datetime last_modified_by " +
  "last_updated_t last_updated_datetime product_name abbreviated_product_name generic_name quantity " +
  "packaging packaging_tags packaging_en packaging_text brands brands_tags brands_en categories " +
  "categories_tags categories_en origins origins_tags origins_en manufacturing_places " +
  "manufacturing_places_tags labels labels_tags labels_en emb_codes emb_codes_tags " +
  "first_packaging_code_geo cities cities_tags purchase_places stores countries countries_tags " +
  "countries_en ingredients_text ingredients_tags ingredients_analysis_tags allergens allergens_en " +
  "traces traces_tags traces_en serving_size serving_quantity no_nutrition_data additives_n additives " +
  "additives_tags additives_en nutriscore_score nutriscore_grade nova_group pnns_groups_1 " +
  "pnns_groups_2 food_groups food_groups_tags food_groups_en states states_tags states_en brand_owner " +
  "environmental_score_score environmental_score_grade nutrient_levels_tags product_quantity owner " +
  "data_quality_errors_tags unique_scans_n popularity_tags completeness last_image_t " +
  "last_image_datetime main_category main_category_en image_url image_small_url " +
  "image_ingredients_url image_ingredients_small_url image_nutrition_url image_nutrition_small_url";

/** Nutrients per 100 g; the export has about a hundred more, most of them empty. */
const NUTRIENTS =
  "energy-kj energy-kcal energy energy-from-fat fat saturated-fat butyric-acid caproic-acid " +
  "caprylic-acid capric-acid lauric-acid myristic-acid palmitic-acid stearic-acid arachidic-acid " +
  "behenic-acid lignoceric-acid cerotic-acid montanic-acid melissic-acid unsaturated-fat " +
  "monounsaturated-fat omega-9-fat polyunsaturated-fat omega-3-fat omega-6-fat trans-fat cholesterol " +
  "carbohydrates sugars added-sugars sucrose glucose fructose lactose maltose maltodextrins starch " +
  "polyols erythritol fiber soluble-fiber insoluble-fiber proteins casein serum-proteins nucleotides " +
  "salt added-salt sodium alcohol vitamin-a beta-carotene vitamin-d vitamin-e vitamin-k vitamin-c " +
  "vitamin-b1 vitamin-b2 vitamin-pp vitamin-b6 vitamin-b9 folates vitamin-b12 biotin pantothenic-acid " +
  "silica bicarbonate potassium chloride calcium phosphorus iron magnesium zinc copper manganese " +
  "fluoride selenium chromium molybdenum iodine caffeine taurine ph fruits-vegetables-nuts " +
  "carbon-footprint nutrition-score-fr nutrition-score-uk choline phylloquinone beta-glucan inositol " +
  "carnitine sulphate nitrate acidity";

const COLUMNS = [
  ...GENERAL.split(" "),
  ...NUTRIENTS.split(" ").map((nutrient) => `${nutrient}_100g`),
] as const;

/** The first line of an export. */
export const OFF_HEADER = COLUMNS.join("\t");

/** A line of an export; columns that are not given are empty. */
export function offLine(cells: Readonly<Record<string, string | number>>): string {
  const unknown = Object.keys(cells).filter((name) => !COLUMNS.includes(name));
  if (unknown.length > 0) throw new Error(`The export has no column ${unknown.join(", ")}.`);
  return COLUMNS.map((column) => cells[column] ?? "").join("\t");
}

/** The GTIN-13 of product number `at`, including the check digit. */
export function barcodeOf(at: number): string {
  const digits = `40${String(at).padStart(10, "0")}`;
  const sum = [...digits].reduce((total, digit, n) => total + Number(digit) * (n % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const INGREDIENTS = 'Sugar, "Wheat" flour 23%, palm oil; may contain traces of nuts. '.repeat(12);

/** Writes a compressed export with a number of products, every third of them without figures. */
export async function writeOffExport(path: string, products: number): Promise<void> {
  function* lines() {
    yield `${OFF_HEADER}\n`;
    for (let at = 0; at < products; at += 1) yield `${offLine(productCells(at))}\n`;
  }
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(path));
}

function productCells(at: number): Record<string, string | number> {
  const [protein, carbs, fat] = [at % 12, 20 + (at % 50), at % 17];
  const calories = 4 * protein + 4 * carbs + 9 * fat;
  const product = {
    code: barcodeOf(at),
    url: `http://world-en.openfoodfacts.org/product/${barcodeOf(at)}`,
    product_name: `Crunchy "Bar" ${at}`,
    brands: `Maker ${at % 5_000},Group`,
    ingredients_text: INGREDIENTS,
    states: "en:to-be-completed, en:nutrition-facts-to-be-completed",
  };
  if (at % 3 === 2) return product;
  return {
    ...product,
    serving_size: "1 bar (30 g)",
    serving_quantity: 30,
    "energy-kcal_100g": calories,
    energy_100g: Math.round(calories * 4.184),
    proteins_100g: protein,
    carbohydrates_100g: carbs,
    fat_100g: fat,
    salt_100g: 0.5,
    sodium_100g: 0.2,
  };
}
