import type { MessageInitShape } from "@bufbuild/protobuf";
import { amountFields } from "@nutrition/core/nutrients";
import type {
  AnalysisService,
  ExplainedPartSchema,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Handler } from "@nutrition/rpc/service-definition";

import type { Amount } from "../domain/segmentation/amount.ts";
import { withoutBarcodes } from "../domain/barcode/barcode-line.ts";
import type { FoundFood } from "../domain/composition/read-part.ts";
import type { LineReader } from "../domain/line-reader.ts";
import { scaleNutrients } from "../domain/foods/nutrients.ts";
import { estimateLines } from "../operations/estimate-lines.ts";
import type { FoodSearch } from "../retrieval/food-search.ts";
import type { LookUps } from "../retrieval/look-ups.ts";
import { lineMessage } from "./analyze.ts";
import { assertLine, QUERY_CHARACTERS_MAX } from "./checks.ts";
import { foodMessage } from "./foods.ts";

const ALTERNATIVES_MAX = 5;

export interface ExplainDependencies {
  reader: LineReader;
  lookUps: LookUps;
  search: FoodSearch;
}

/** Explains how the food tables read a line. */
export function explainLineHandler({
  reader,
  lookUps,
  search,
}: ExplainDependencies): Handler<typeof AnalysisService, "explainLine"> {
  return async ({ line }, { signal }) => {
    assertLine(line);
    const asked = { lines: [line], details: "", correction: "", biasFactor: 1, remembered: [] };
    const { results } = await estimateLines({ reader, lookUps, model: undefined }, asked, signal);
    // The product of a barcode is in the result; the parts are those of the remaining text.
    const reading = reader.read(withoutBarcodes(line), await lookUps.foodsFor([line]));
    const parts = reading.foods.map((found) => explain(found, search));
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
