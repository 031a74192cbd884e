import { parseEnvironment, rpcServiceEnvironment, secretText } from "@nutrition/service/config";
import { z } from "zod";

const price = z.coerce
  .number({ error: "must be US dollars per million tokens; 0 for a free model" })
  .min(0)
  .max(10_000);

// The service calls no other service, so it has no key of its own.
const environmentSchema = rpcServiceEnvironment
  .omit({ IDENTITY_PRIVATE_KEY: true })
  .extend({
    /** Base address of an OpenAI-compatible API; if unset, only the food tables are used. */
    ANALYSIS_MODEL_URL: z
      .url({ protocol: /^https?$/, error: "must look like https://api.openai.com/v1" })
      .optional(),
    ANALYSIS_MODEL: z.string().max(200).optional(),
    ANALYSIS_MODEL_KEY: secretText.optional(),
    /** US dollars per million tokens of requests and of answers. */
    ANALYSIS_MODEL_INPUT_USD: price.optional(),
    ANALYSIS_MODEL_OUTPUT_USD: price.optional(),
    /** Maximum cost per UTC day over all instances, in US dollars. */
    ANALYSIS_MODEL_DAILY_USD: z.coerce.number().min(0).max(1_000_000).default(5),
    /** Timeout of a request including retries; the journal waits for 15 s. */
    ANALYSIS_MODEL_TIMEOUT_MS: z.coerce.number().int().min(100).max(14_000).default(12_000),
    /** Maximum number of concurrent requests of an instance. */
    ANALYSIS_MODEL_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(8),
  })
  .superRefine((values, context) => {
    if (values.ANALYSIS_MODEL_URL === undefined) return;
    for (const name of REQUIRED_WITH_URL) {
      if (values[name] !== undefined) continue;
      const message = "must be set if ANALYSIS_MODEL_URL is";
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
