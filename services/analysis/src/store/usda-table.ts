import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";

import type { ImportedSource, NamedPortion, NewFood } from "../domain/foods/imported-food.ts";
import type { Nutrients } from "../domain/foods/nutrients.ts";

const FILE = new URL("../../foods/usda/foods.tsv.gz", import.meta.url);
/** Columns before the nutrients, which are in the order of the registry, then alcohol and portions. */
const NAMES = ["reference", "name", "aliases"];

/** A food of USDA's tables. Its figures are parsed on demand, because most are never needed. */
class UsdaFood implements NewFood {
  readonly reference: string;
  readonly name: string;
  /** Separated by commas or semicolons. */
  readonly aliases: readonly string[];
  readonly brand = "";
  readonly gtin = "";
  readonly #row: string;

  constructor(row: string) {
    const [reference = "", name = "", aliases = ""] = row.split("\t", NAMES.length);
    this.reference = reference;
    this.name = name;
    this.aliases = [aliases];
    this.#row = row;
  }

  get source(): ImportedSource {
    return this.reference.startsWith("sr28:") ? "reference" : "survey";
  }

  get per100Grams(): Nutrients {
    const cells = this.#cells();
    const known = NUTRIENT_KEYS.flatMap((key, at) => (cells[at] ? [[key, Number(cells[at])]] : []));
    return { calories: 0, ...Object.fromEntries(known) };
  }

  get portions(): readonly NamedPortion[] {
    return (this.#cells().at(-1) ?? "").split("|").flatMap((portion) => {
      const [name = "", grams] = portion.split("=");
      return grams === undefined ? [] : [{ name, grams: Number(grams) }];
    });
  }

  #cells(): string[] {
    return this.#row.split("\t").slice(NAMES.length);
  }
}

/** The rows of a gzipped table without its headings. */
export async function readGzippedRows(file: URL): Promise<string[]> {
  const text = (await promisify(gunzip)(await readFile(file))).toString();
  return text.trimEnd().split("\n").slice(1);
}

/** The foods of FNDDS and SR28 that ship with the service. */
export async function readUsdaFoods(): Promise<NewFood[]> {
  return (await readGzippedRows(FILE)).map((row) => new UsdaFood(row));
}
