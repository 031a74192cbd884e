import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NutrientsSchema } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";

import type { Nutrients } from "../domain/foods/nutrients.ts";

/** The amounts as a message; what is unknown is left out. */
export function nutrientsMessage(nutrients: Nutrients): MessageInitShape<typeof NutrientsSchema> {
  const known = Object.entries(nutrients).filter(([, amount]) => amount !== undefined);
  return { calories: nutrients.calories, ...Object.fromEntries(known) };
}
