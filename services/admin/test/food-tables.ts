import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** Text of CSV files by name. */
export type Tables = Readonly<Record<string, string>>;

/** A table with every cell quoted. */
function csv(columns: string, ...rows: readonly (readonly (string | number)[])[]): string {
  const lines = [columns.split(","), ...rows];
  return `${lines.map((cells) => `"${cells.join('","')}"`).join("\n")}\n`;
}

const FOOD = "fdc_id,data_type,description,food_category_id,publication_date";
const NUTRIENT = "id,fdc_id,nutrient_id,amount";
const LABEL =
  "fdc_id,brand_owner,brand_name,gtin_upc,serving_size,serving_size_unit,household_serving_fulltext,data_source,modified_date";
const PORTION = "id,fdc_id,seq_num,amount,measure_unit_id,portion_description,modifier,gram_weight";

/** A download that contains each difficulty of the real ones once. */
export const TRAPS: Tables = {
  "food.csv": csv(
    FOOD,
    [1, "sr_legacy_food", "Quince, raw", "9", "2019-04-01"],
    [2, "foundation_food", "Spinach, baby", "11", "2021-10-28"],
    [3, "survey_fndds_food", "Egg omelet, plain", "", "2024-10-31"],
    [4, "sub_sample_food", "Spinach, baby, sample 3", "", "2021-10-28"],
    [5, "market_acquisition", "Market", "", "2021-10-28"],
    [6, "sr_legacy_food", "Lard in kilojoules", "4", "2019-04-01"],
    [7, "sr_legacy_food", "Nothing known", "4", "2019-04-01"],
    [8, "branded_food", "OAT CRUNCH", "", "2020-01-01"],
    [9, "branded_food", "OAT CRUNCH NEW RECIPE", "", "2022-01-01"],
    [10, "branded_food", "OAT CRUNCH GDSN", "", "2019-01-01"],
    [11, "branded_food", "NO BRAND", "", "2019-01-01"],
    [12, "branded_food", "IMPOSSIBLE", "", "2019-01-01"],
    ["x", "sr_legacy_food", "No number", "", "2019-01-01"],
    // A quoted text that contains a quote, a comma and a line break.
    [13, "sr_legacy_food", 'Bar, 6"" long,\nglazed', "", "2019-01-01"],
  ),
  "food_nutrient.csv": csv(
    NUTRIENT,
    // Deliberately not in the order of the foods.
    [1, 2, 2047, 26.1],
    [2, 2, 2048, 24.5],
    [3, 1, 1008, 57],
    [4, 1, 1003, 0.4],
    [5, 1, 1063, 8.9],
    [6, 2, 1063, 0.5],
    [7, 2, 2000, 0.42],
    [8, 3, 1008, 154],
    [9, 3, 1093, 301],
    [10, 6, 1062, 3769.8],
    [11, 7, 1003, 1],
    [12, 8, 1008, 400],
    [13, 9, 1008, 410],
    [14, 10, 1008, 420],
    [15, 11, 1008, 430],
    [16, 12, 1008, 4000],
    [17, 13, 1008, 390],
    [18, 1, 1079, ""],
    [19, 4, 1008, 1],
  ),
  "branded_food.csv": csv(
    LABEL,
    [8, "Mill Inc.", "Old Mill", "00012345678905", 30, "g", "3 cookies", "LI", "2019-12-01"],
    [9, "Mill Inc.", "Old Mill", "12345678905", 28, "GRM", "1 bar", "LI", "2021-12-01"],
    [10, "Mill Inc.", "", "012345678905", 240, "MLT", "1 cup", "GDSN", "2018-12-01"],
    [11, "", "", "00099999999999", 30, "g", "", "LI", "2018-12-01"],
    [12, "Mill Inc.", "Old Mill", "", 30, "IU", "", "LI", "2018-12-01"],
  ),
  "measure_unit.csv": csv("id,name", [1000, "cup"], [9999, "undetermined"]),
  "food_portion.csv": csv(
    PORTION,
    [1, 1, 1, 1, 9999, "", "fruit without refuse", 92],
    [2, 2, 1, 2, 1000, "", "packed", 60],
    [3, 3, 1, "", 9999, "1 large egg", "61667", 55],
    [4, 3, 2, "", 9999, "Quantity not specified", "90000", 110],
    [5, 3, 3, "", 9999, "Guideline amount per cup", "90001", 5],
    [6, 1, 2, 1, 9999, "", "weightless", 0],
  ),
  "food_attribute.csv": csv("id,fdc_id,seq_num,food_attribute_type_id,name,value", [
    1,
    3,
    1,
    1001,
    "",
    "tamagoyaki; rolled omelet",
  ]),
};

/** Writes the tables into a new folder. */
export function writeTables(folder: string, tables: Tables): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(tables)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A zip archive (APPNOTE 6.3) of uncompressed entries; `declaredBytes` lies about their size. */
export function zipOf(tables: Tables, declaredBytes?: number): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(tables)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(declaredBytes ?? data.length, 14);
    common.writeUInt32LE(declaredBytes ?? data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    common.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, path);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    common.copy(header, 4);
    bodies.push(header, path, data);
    offset += header.length + path.length + data.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(tables).length, 8);
  end.writeUInt16LE(Object.keys(tables).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, list, end]);
}
