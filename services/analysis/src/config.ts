import { parseEnvironment, rpcServiceEnvironment, secretText } from "@nutrition/service/config";
import { z } from "zod";

const price = z.coerce
  .number({ error: "must be US dollars for a million tokens; 0 for a model that costs nothing" })
  .min(0)
  .max(10_000);

// The service calls no other service, so it has no key of its own.
const environmentSchema = rpcServiceEnvironment
  .omit({ IDENTITY_PRIVATE_KEY: true })
  .extend({
    /** Base address of an OpenAI-compatible API; without it the food tables alone answer. */
    ANALYSIS_MODEL_URL: z
      .url({ protocol: /^https?$/, error: "must look like https://api.openai.com/v1" })
      .optional(),
    ANALYSIS_MODEL: z.string().max(200).optional(),
    ANALYSIS_MODEL_KEY: secretText.optional(),
    /** US dollars for a million tokens of questions and of answers. */
    ANALYSIS_MODEL_INPUT_USD: price.optional(),
    ANALYSIS_MODEL_OUTPUT_USD: price.optional(),
    /** US dollars in a UTC day, over all instances. */
    ANALYSIS_MODEL_DAILY_USD: z.coerce.number().min(0).max(1_000_000).default(5),
    /** Longest that a question may take, retries included; the journal waits for 15 s. */
    ANALYSIS_MODEL_TIMEOUT_MS: z.coerce.number().int().min(100).max(14_000).default(12_000),
    /** Questions that an instance may have open. */
    ANALYSIS_MODEL_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(8),
  })
  .superRefine((values, context) => {
    if (values.ANALYSIS_MODEL_URL === undefined) return;
    for (const name of REQUIRED_WITH_URL) {
      if (values[name] !== undefined) continue;
      const message = "must be set when ANALYSIS_MODEL_URL is";
      context.addIssue({ code: "custom", path: [name], message });
    }
  });

const REQUIRED_WITH_URL = [
  "ANALYSIS_MODEL",
  "ANALYSIS_MODEL_INPUT_USD",
  "ANALYSIS_MODEL_OUTPUT_USD",
] as const;

export type AnalysisConfig = z.output<typeof environmentSchema>;

/** Reads the environment. Throws a `ConfigError`. */
export function readConfig(environment: NodeJS.ProcessEnv): AnalysisConfig {
  return parseEnvironment(environmentSchema, environment);
}
