import { NUTRIENTS, byKey } from "@nutrition/core/nutrients";
import { FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { z } from "zod";

import type { FoodFile, ImportRow } from "./import-row.ts";
import { aliasesOf, distinctPortions, portionOf } from "./import-row.ts";
import { TextFile } from "./text-file.ts";
import type { TextLine } from "./text-file.ts";

const amount = z.number().nonnegative().nullish();
const line = z.object({
  id: z.string(),
  name: z.string(),
  also: z.string().nullish(),
  common: z.string().nullish(),
  brand: z.string().nullish(),
  gtin: z.string().nullish(),
  per100g: z.object({
    ...byKey(NUTRIENTS, () => amount),
    calories: z.number({ error: "no energy" }).nonnegative(),
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

/** Foods as JSON, one per line, compressed or not. */
export async function openJsonLines(path: string): Promise<FoodFile> {
  const file = await TextFile.open(path);
  return {
    title: path,
    totalBytes: file.bytes,
    rowCount: undefined,
    leftOut: { other: 0, superseded: 0 },
    rows: (onProgress) => readRows(file, onProgress),
  };
}

async function* readRows(
  file: TextFile,
  onProgress: (bytes: number) => void,
): AsyncGenerator<readonly ImportRow[]> {
  for await (const lines of file.lines(onProgress)) {
    yield lines.filter(({ text }) => text?.trim() !== "").map(readLine);
  }
}

function readLine({ text, number }: TextLine): ImportRow {
  const reference = `line ${number}`;
  if (text === undefined) return { reference, problem: "The line is too long." };
  const parsed = line.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "the line";
    return { reference, problem: `${where}: ${issue?.message ?? "not JSON"}` };
  }
  return toRow(parsed.data);
}

function toRow(food: Line): ImportRow {
  const source = food.brand ? FoodSource.BRANDED : sourceOf(food.id);
  if (source === undefined) {
    return {
      reference: food.id,
      problem: "The id must begin with a known table, such as sr28 or fndds2021.",
    };
  }
  const knownAmounts = Object.entries(food.per100g).filter(([, value]) => value != null);
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
      per100g: Object.fromEntries(knownAmounts) as { calories: number },
      portions: distinctPortions(portions),
    },
  };
}

/** FNDDS's name for the portion eaten when no amount is stated: "Quantity not specified". */
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
