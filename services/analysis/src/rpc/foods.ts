import type { MessageInitShape } from "@bufbuild/protobuf";
import { amountFields } from "@nutrition/core/nutrients";
import { characterCount } from "@nutrition/core/text";
import type { Database } from "@nutrition/postgres/database";
import { FoodSource, AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type {
  Food as FoodMessage,
  FoodSchema,
  ImportFoodsRequest,
  ExplainedPartSchema,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import { type Food, knownNutrients, scaleNutrients } from "../domain/foods/food.ts";
import { problemOfImported } from "../domain/foods/imported-food.ts";
import type { ImportedFood, ImportedSource, NewFood } from "../domain/foods/imported-food.ts";
import type { FoodSearch } from "../retrieval/food-search.ts";
import { finishImport, storeFoods } from "../store/food-store.ts";
import { invalid, QUERY_CHARACTERS_MAX, assertLine, lineMessage } from "./analyze.ts";
import { withoutBarcodes } from "../domain/barcode/barcode-line.ts";
import type { FoundFood } from "../domain/composition/read-part.ts";
import type { Amount } from "../domain/segmentation/amount.ts";
import { estimateLines } from "../operations/estimate-lines.ts";
import type { LookUps } from "../retrieval/look-ups.ts";

/** Maximum foods of an answer, and of a batch that is imported. */
const FOUND_MAX = 50;
const FOUND_DEFAULT = 10;
const BATCH_MAX = 1_000;

const SOURCES: Readonly<Record<ImportedSource, FoodSource>> = {
  reference: FoodSource.REFERENCE,
  survey: FoodSource.SURVEY,
  foundation: FoodSource.FOUNDATION,
  branded: FoodSource.BRANDED,
};

/** Searches all food tables by name. */
export function searchFoodsHandler(
  search: FoodSearch,
): Handler<typeof AnalysisService, "searchFoods"> {
  return async ({ query, limit }) => {
    if (query.trim() === "" || characterCount(query) > QUERY_CHARACTERS_MAX) {
      throw invalid("INVALID_QUERY", `Send a query of 1 to ${QUERY_CHARACTERS_MAX} characters.`);
    }
    if (limit < 0 || limit > FOUND_MAX) {
      const message = `Send a limit of 1 to ${FOUND_MAX}, or 0 for ${FOUND_DEFAULT}.`;
      throw invalid("INVALID_LIMIT", message);
    }
    const results = await search.search(query, limit === 0 ? FOUND_DEFAULT : limit);
    return { foods: results.map(({ food, score }) => ({ food: foodMessage(food), score })) };
  };
}

/** Stores a batch, and finishes an import after its last one. */
export function importHandlers(database: Database) {
  return {
    async importFoods({ foods }: ImportFoodsRequest) {
      if (foods.length === 0 || foods.length > BATCH_MAX) {
        throw invalid("INVALID_BATCH", `Send 1 to ${BATCH_MAX} foods.`);
      }
      const refused: { reference: string; reason: string }[] = [];
      // If a reference is in the batch twice, the last food counts.
      const accepted = new Map<string, NewFood>();
      for (const message of foods) {
        const food = importedFood(message);
        const reason = food ? problemOfImported(food) : "Its source or its nutrients are missing.";
        if (food && reason === undefined) accepted.set(food.reference, food);
        else refused.push({ reference: message.reference, reason: reason ?? "" });
      }
      const { inserted, updated } = await database.transaction((tx) =>
        storeFoods(tx, [...accepted.values()]),
      );
      return { inserted, updated, unchanged: accepted.size - inserted - updated, refused };
    },
    finishImport: () => finishImport(database),
  };
}

/** Undefined if the message has no source or no nutrients. */
function importedFood(food: FoodMessage): NewFood | undefined {
  const { reference, name, brand, gtin, aliases, portions, per100g } = food;
  const sources = Object.keys(SOURCES) as ImportedSource[];
  const source = sources.find((key) => SOURCES[key] === food.source);
  if (source === undefined || per100g === undefined) return undefined;
  const per100Grams = knownNutrients(per100g);
  const measures = portions.map(({ name, grams }) => ({ name, grams }));
  return { reference, name, brand, gtin, aliases, source, per100Grams, portions: measures };
}

/** The message for a food of any table. */
function foodMessage(food: Food | ImportedFood): MessageInitShape<typeof FoodSchema> {
  const shared = {
    reference: food.reference,
    name: food.name,
    brand: food.brand ?? "",
    per100g: amountFields(food.per100Grams),
  };
  if ("gtin" in food) {
    const { gtin, portions, source } = food;
    return { ...shared, gtin, portions: [...portions], source: SOURCES[source] };
  }
  return {
    ...shared,
    aliases: [...food.aliases],
    portions: [...food.portions].map(([name, grams]) => ({ name, grams })),
    source: SOURCES[food.group as ImportedSource] ?? FoodSource.CURATED,
  };
}

const ALTERNATIVES_MAX = 5;

/** Explains how the food tables read a line. */
export function explainLineHandler(
  lookUps: LookUps,
): Handler<typeof AnalysisService, "explainLine"> {
  return async ({ line }, { signal }) => {
    assertLine(line);
    const asked = { lines: [line], details: "", correction: "", biasFactor: 1, remembered: [] };
    const { results } = await estimateLines({ lookUps }, asked, signal);
    // The product of a barcode is in the result; the parts are those of the remaining text.
    const reading = lookUps.reader.read(withoutBarcodes(line), await lookUps.foodsFor([line]));
    const parts = reading.foods.map((found) => explain(found, lookUps.search));
    return {
      result: lineMessage(results[0]!),
      parts: await Promise.all(parts),
      unknown: [...reading.unknown],
    };
  };
}

async function explain(
  { text, match, amount, weight }: FoundFood,
  search: FoodSearch,
): Promise<MessageInitShape<typeof ExplainedPartSchema>> {
  const { food } = match;
  const found = await search.search(text.slice(0, QUERY_CHARACTERS_MAX), ALTERNATIVES_MAX + 1);
  const others = found
    .filter((other) => other.food.reference !== food.reference || other.food.name !== food.name)
    .map((other) => ({ food: foodMessage(other.food), score: other.score }));
  return {
    text,
    amount: amountText(amount),
    food: foodMessage(food),
    grams: weight.grams,
    assumption: weight.assumption ?? "",
    nutrients: amountFields(scaleNutrients(food.per100Grams, weight.grams / 100)),
    matchConfidence: match.score,
    portionConfidence: weight.certainty,
    alternatives: others.slice(0, ALTERNATIVES_MAX),
  };
}

/** The amount as it was read: "2 × slice", "1 × 150 g", "large". */
function amountText({ count, counted, measure, unit, size }: Amount): string {
  const one =
    measure?.kind === "mass"
      ? `${number(measure.grams)} g`
      : measure && `${number(measure.milliliters)} ml`;
  const what = [size, one ?? unit].filter((word) => word !== undefined).join(" ");
  if (!counted && one === undefined) return what;
  return what === "" ? number(count) : `${number(count)} × ${what}`;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
