import { z } from "zod";

const amount = z.number().nullable();

/**
 * What the model has to answer, in the order in which it has to think: the foods and their weights
 * come before any figure. Ranges are checked after, as not every server knows them.
 */
const answerShape = z.strictObject({
  lines: z.array(
    z.strictObject({
      foods: z.array(
        z.strictObject({
          name: z.string(),
          /** Id of a candidate; null when none of them is this food. */
          candidate: z.string().nullable(),
          amount_stated: z.boolean(),
          grams: z.number(),
          /** Figures of 100 g, for a food with no candidate. */
          per_100g: z
            .strictObject({
              calories: z.number(),
              protein: amount,
              carbs: amount,
              fat: amount,
              sugar: amount,
              fiber: amount,
              sodium: amount,
              alcohol: amount,
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

/** The shape as the JSON Schema that goes with the question. */
export const ANSWER_SCHEMA = z.toJSONSchema(answerShape) as Record<string, unknown>;

/** The answer that `text` holds, or undefined when it is not one to `lineCount` lines. */
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
