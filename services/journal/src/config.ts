import type { Secret } from "@nutrition/core/secret";
import type { TlsPaths } from "@nutrition/rpc/tls-files";
import {
  internalTlsPaths,
  parseEnvironment,
  rpcServiceEnvironment,
} from "@nutrition/service/config";
import { z } from "zod";

const DAY_SECONDS = 86_400;

const environmentSchema = rpcServiceEnvironment.extend({
  /** gRPC target of the limits service. */
  LIMITS_ADDRESS: z.string(),
  /** gRPC target of the analysis service. */
  ANALYSIS_ADDRESS: z.string(),
  /** How long the same log_food call counts as a retry. */
  DUPLICATE_WINDOW_SECONDS: z.coerce.number().int().min(1).max(DAY_SECONDS).default(600),
});

type Environment = z.infer<typeof environmentSchema>;

/** Settings of the journal service. */
export interface JournalConfig {
  host: string;
  port: number;
  databaseUrl: Secret;
  /** Tried when the password of `databaseUrl` is rejected. */
  databasePasswordFallback?: Secret | undefined;
  /** PostgreSQL's data folder, if it is on this machine. */
  databaseFolder?: string | undefined;
  identityPrivateKey: Environment["IDENTITY_PRIVATE_KEY"];
  identityTrustedKeys: Environment["IDENTITY_TRUSTED_KEYS"];
  /** Plain text if absent. */
  internalTls?: TlsPaths | undefined;
  limitsAddress: string;
  analysisAddress: string;
  duplicateWindowMs: number;
}

/** Reads the environment; throws a `ConfigError` that names every invalid variable. */
export function readConfig(environment: NodeJS.ProcessEnv): JournalConfig {
  const parsed = parseEnvironment(environmentSchema, environment);
  return {
    host: parsed.RPC_HOST,
    port: parsed.RPC_PORT,
    databaseUrl: parsed.DATABASE_URL,
    databasePasswordFallback: parsed.DATABASE_PASSWORD_FALLBACK,
    databaseFolder: parsed.DATABASE_FOLDER,
    identityPrivateKey: parsed.IDENTITY_PRIVATE_KEY,
    identityTrustedKeys: parsed.IDENTITY_TRUSTED_KEYS,
    internalTls: internalTlsPaths(parsed),
    limitsAddress: parsed.LIMITS_ADDRESS,
    analysisAddress: parsed.ANALYSIS_ADDRESS,
    duplicateWindowMs: parsed.DUPLICATE_WINDOW_SECONDS * 1_000,
  };
}
