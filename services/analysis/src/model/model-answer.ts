import { byKey, NUTRIENTS } from "@nutrition/core/nutrients";
import { z } from "zod";

/**
 * The answer that the model must give. It writes the members in this order, so it decides on foods and
 * weights before figures. The schema has no ranges, because not every server supports them.
 */
const answerShape = z.strictObject({
  lines: z.array(
    z.strictObject({
      foods: z.array(
        z.strictObject({
          name: z.string(),
          /** Id of a candidate; null if none is this food. */
          candidate: z.string().nullable(),
          amount_stated: z.boolean(),
          grams: z.number(),
          /** Nutrients in 100 g of a food with no candidate; null if unknown. */
          per_100g: z
            .strictObject({
              ...byKey(NUTRIENTS, () => z.number().nullable()),
              calories: z.number(),
              alcohol: z.number().nullable(),
            })
            .nullable(),
        }),
      ),
    }),
  ),
});

export type ModelAnswer = z.infer<typeof answerShape>;
export type ModelLine = ModelAnswer["lines"][number];
export type ModelFood = ModelLine["foods"][number];

/** The same as a JSON Schema, for the request. */
export const ANSWER_SCHEMA = z.toJSONSchema(answerShape) as Record<string, unknown>;

/** Parses an answer; undefined if it is not valid or not about exactly `lineCount` lines. */
export function parseAnswer(text: string, lineCount: number): ModelAnswer | undefined {
  const parsed = answerShape.safeParse(parseJson(text));
  return parsed.success && parsed.data.lines.length === lineCount ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
