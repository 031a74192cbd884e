import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";

import { Failure } from "@nutrition/core/failure";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { z } from "zod";

import type { FoodFile, ImportRow } from "./import-row.ts";
import { aliasesOf, distinctPortions, portionOf } from "./import-row.ts";

const ROWS_AT_ONCE = 500;
const LINE_CHARACTERS_MAX = 100_000;

const amount = z.number().nonnegative().nullish();
const line = z.object({
  id: z.string(),
  name: z.string(),
  also: z.string().nullish(),
  common: z.string().nullish(),
  brand: z.string().nullish(),
  gtin: z.string().nullish(),
  per100g: z.object({
    calories: z.number({ error: "no energy" }).nonnegative(),
    protein: amount,
    carbs: amount,
    fat: amount,
    sugar: amount,
    fiber: amount,
    sodium: amount,
  }),
  portions: z
    .array(
      z.object({
        desc: z.string().optional(),
        amount: z.number().optional(),
        unit: z.string().optional(),
        grams: z.number(),
      }),
    )
    .default([]),
});

type Line = z.infer<typeof line>;

/** Foods as JSON, a line each, compressed or not. */
export async function openJsonLines(path: string): Promise<FoodFile> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) {
    throw new Failure("not_found", "FILE_NOT_FOUND", `There is no file ${path}.`);
  }
  return {
    title: path,
    totalBytes: found.size,
    rowCount: undefined,
    leftOut: { other: 0, superseded: 0 },
    rows: (onProgress) => readRows(path, onProgress),
  };
}

async function* readRows(
  path: string,
  onProgress: (bytes: number) => void,
): AsyncGenerator<readonly ImportRow[]> {
  const file = createReadStream(path);
  const text = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  file.on("error", (error) => text.destroy(error));
  let rows: ImportRow[] = [];
  let number = 0;
  try {
    for await (const content of createInterface({ input: text, crlfDelay: Infinity })) {
      number += 1;
      if (content.trim() !== "") rows.push(readLine(content, number));
      if (rows.length < ROWS_AT_ONCE) continue;
      onProgress(file.bytesRead);
      yield rows;
      rows = [];
    }
  } catch (error) {
    const message = `${path} cannot be read after line ${number}. What stands before it is dealt with; get the file again and run the command once more.`;
    throw new Failure("invalid_argument", "INVALID_FILE", message, { cause: error });
  }
  onProgress(file.bytesRead);
  yield rows;
}

function readLine(content: string, number: number): ImportRow {
  const reference = `line ${number}`;
  if (content.length > LINE_CHARACTERS_MAX) return { reference, problem: "The line is too long." };
  const parsed = line.safeParse(parseJson(content));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "the line";
    return { reference, problem: `${where}: ${issue?.message ?? "no JSON"}` };
  }
  return toRow(parsed.data);
}

function toRow(food: Line): ImportRow {
  const source = food.brand ? FoodSource.BRANDED : sourceOf(food.id);
  if (source === undefined) {
    return {
      reference: food.id,
      problem: "The id names no known table, such as sr28 or fndds2021.",
    };
  }
  const known = Object.entries(food.per100g).filter(([, value]) => value != null);
  const portions = food.portions.map(({ desc, amount = 1, unit = "", grams }) =>
    desc === undefined ? portionOf(unit, grams / amount) : surveyPortion(desc, grams),
  );
  return {
    food: {
      reference: food.id,
      name: food.name.trim(),
      source,
      brand: food.brand ?? "",
      gtin: food.gtin ?? "",
      aliases: aliasesOf(food.also ?? food.common ?? ""),
      per100g: Object.fromEntries(known) as { calories: number },
      portions: distinctPortions(portions),
    },
  };
}

/** FNDDS calls what is eaten when no amount is named a quantity that is not specified. */
export function surveyPortion(text: string, grams: number) {
  if (/^guideline amount/iu.test(text)) return undefined;
  return portionOf(/^quantity not specified$/iu.test(text) ? "serving" : text, grams);
}

function sourceOf(id: string): FoodSource | undefined {
  if (/^sr\w*:/u.test(id)) return FoodSource.REFERENCE;
  if (/^fndds\w*:/u.test(id)) return FoodSource.SURVEY;
  return /^foundation\w*:/u.test(id) ? FoodSource.FOUNDATION : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
