import type { MessageInitShape } from "@bufbuild/protobuf";
import { amountFields } from "@nutrition/core/nutrients";
import { characterCount } from "@nutrition/core/text";
import type { Database } from "@nutrition/postgres/database";
import { FoodSource, AnalysisService } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type {
  FoodMatchSchema,
  FoodSchema,
  ImportFoodsRequest,
  ExplainedPartSchema,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import type { Food } from "../domain/foods/food.ts";
import type { ImportedFood, ImportedSource } from "../domain/foods/imported-food.ts";
import type { ExplainedPart, FoodReader, FoundFood } from "../operations/food-reader.ts";
import { assertLine, COSTLY_LINE, invalid, lineMessage, readerContextOf } from "./analyze.ts";

const QUERY_CHARACTERS_MAX = 200;
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
const SOURCE_NAMES = Object.keys(SOURCES) as ImportedSource[];

/** Searches all food tables by name. */
export function searchFoodsHandler(
  reader: FoodReader,
): Handler<typeof AnalysisService, "searchFoods"> {
  return async ({ query, limit }, context) => {
    if (query.trim() === "" || characterCount(query) > QUERY_CHARACTERS_MAX) {
      throw invalid("INVALID_QUERY", `Send a query of 1 to ${QUERY_CHARACTERS_MAX} characters.`);
    }
    if (limit < 0 || limit > FOUND_MAX) {
      const message = `Send a limit of 1 to ${FOUND_MAX}, or 0 for ${FOUND_DEFAULT}.`;
      throw invalid("INVALID_LIMIT", message);
    }
    const asked = { text: query, limit: limit === 0 ? FOUND_DEFAULT : limit };
    const results = await reader.searchFoods(asked, readerContextOf(context));
    if ("costly" in results) {
      throw invalid(
        "COSTLY_QUERY",
        "This takes too long to search for. Send fewer, plainer words.",
      );
    }
    return { foods: results.map(foundMessage) };
  };
}

/** Stores a batch, and finishes an import after its last one. */
export function importHandlers(database: Database) {
  return {
    async importFoods({ foods }: ImportFoodsRequest) {
      if (foods.length === 0 || foods.length > BATCH_MAX) {
        throw invalid("INVALID_BATCH", `Send 1 to ${BATCH_MAX} foods.`);
      }
      const sources = new Map(SOURCE_NAMES.map((name) => [SOURCES[name], name]));
      const offered = foods.map((food) => ({ ...food, source: sources.get(food.source) }));
      return (await importOperations()).importFoods(database, offered);
    },
    finishImport: async () => (await importOperations()).finishImport(database),
  };
}

/** Loaded for the first import, because the words that it needs are otherwise only in the reader's thread. */
function importOperations() {
  return import("../operations/import-foods.ts");
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

/** Explains how the food tables read a line. */
export function explainLineHandler(
  reader: FoodReader,
): Handler<typeof AnalysisService, "explainLine"> {
  return async ({ line }, context) => {
    assertLine(line);
    const explained = await reader.explainLine(line, readerContextOf(context));
    if ("costly" in explained) return { result: COSTLY_LINE };
    const { result, parts, unknown } = explained;
    return {
      result: lineMessage(result),
      parts: parts.map(explainedPart),
      unknown: [...unknown],
    };
  };
}

function explainedPart({
  food,
  nutrients,
  alternatives,
  ...part
}: ExplainedPart): MessageInitShape<typeof ExplainedPartSchema> {
  return {
    ...part,
    food: foodMessage(food),
    nutrients: amountFields(nutrients),
    alternatives: alternatives.map(foundMessage),
  };
}

function foundMessage({ food, score }: FoundFood): MessageInitShape<typeof FoodMatchSchema> {
  return { food: foodMessage(food), score };
}
