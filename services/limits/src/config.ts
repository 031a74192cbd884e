import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import {
  ConfigError,
  parseEnvironment,
  redisUrl,
  rpcServiceEnvironment,
} from "@nutrition/service/config";
import { z } from "zod";

import type { PolicySet } from "./domain/policy.ts";
import { parsePolicyFile } from "./domain/policy-file.ts";

const DEFAULT_POLICY_FILE = fileURLToPath(new URL("../policies.json", import.meta.url));

const environmentSchema = rpcServiceEnvironment.extend({
  /** gRPC target of the journal, which settles expired reservations. */
  JOURNAL_ADDRESS: z.string(),
  /** Redis in which instances share denials; without it, each instance has only its own. */
  REDIS_URL: redisUrl.optional(),
  /** File of all limits; re-read when it changes. */
  LIMITS_POLICY_FILE: z.string().default(DEFAULT_POLICY_FILE),
  /** Age at which a reservation is checked with the journal. */
  LIMITS_RESERVATION_HOLD_MS: z.coerce.number().int().min(1_000).default(60_000),
  /** Days that usage is kept; never shorter than the longest window. */
  LIMITS_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(35),
  /** Maximum number of waiting decisions; more are refused. */
  LIMITS_QUEUE_MAX: z.coerce.number().int().min(1).default(4_096),
});

export type LimitsConfig = z.infer<typeof environmentSchema> & {
  /** Content of the policy file. */
  policies: PolicySet;
};

/** Reads the environment and the policy file. Throws a `ConfigError`. */
export function readConfig(environment: NodeJS.ProcessEnv): LimitsConfig {
  const config = parseEnvironment(environmentSchema, environment);
  return { ...config, policies: readPolicies(config.LIMITS_POLICY_FILE) };
}

function readPolicies(file: string): PolicySet {
  try {
    return parsePolicyFile(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`LIMITS_POLICY_FILE ${file}: ${reason}`);
  }
}
