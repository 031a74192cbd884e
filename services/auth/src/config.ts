import type { Secret } from "@nutrition/core/secret";
import type { VerifierOptions } from "@nutrition/rpc/identity";
import type { TlsPaths } from "@nutrition/rpc/tls-files";
import {
  internalTlsPaths,
  json,
  parseEnvironment,
  redisUrl,
  rpcServiceEnvironment,
} from "@nutrition/service/config";
import { z } from "zod";

import { Peppers } from "./domain/pepper.ts";

/** Settings of the service. */
export interface AuthConfig {
  host: string;
  /** 0 picks a free port. */
  port: number;
  databaseUrl: Secret;
  /** Tried when the password of `databaseUrl` is rejected. */
  databasePasswordFallback?: Secret | undefined;
  /**
   * Redis that revocations are published to; without it, other services notice them seconds later.
   */
  redisUrl?: Secret | undefined;
  trustedKeys: VerifierOptions["trustedKeys"];
  /** TLS files; plain text if absent. */
  internalTls?: TlsPaths | undefined;
  peppers: Peppers;
}

const PEPPER_BYTES_MIN = 32;

const pepper = z
  .string()
  .transform((text) => Buffer.from(text, "base64"))
  .refine((bytes) => bytes.length >= PEPPER_BYTES_MIN);

// The service calls no other service, so it has no key of its own.
const environment = rpcServiceEnvironment
  .omit({ IDENTITY_PRIVATE_KEY: true })
  .extend({
    /** Peppers by version as base64, such as `{"1":"…"}`. Keep each one as long as keys use it. */
    KEY_PEPPERS: json(z.record(z.string().regex(/^[1-9]\d{0,5}$/), pepper)),
    /** Version that new keys are hashed with. */
    KEY_PEPPER_VERSION: z.coerce.number().int().min(1),
    REDIS_URL: redisUrl.optional(),
  })
  .refine((values) => String(values.KEY_PEPPER_VERSION) in values.KEY_PEPPERS, {
    path: ["KEY_PEPPER_VERSION"],
    message: "must be a version listed in KEY_PEPPERS",
  })
  .transform((values): AuthConfig => ({
    host: values.RPC_HOST,
    port: values.RPC_PORT,
    databaseUrl: values.DATABASE_URL,
    databasePasswordFallback: values.DATABASE_PASSWORD_FALLBACK,
    redisUrl: values.REDIS_URL,
    trustedKeys: values.IDENTITY_TRUSTED_KEYS,
    internalTls: internalTlsPaths(values),
    peppers: new Peppers(byVersion(values.KEY_PEPPERS), values.KEY_PEPPER_VERSION),
  }));

function byVersion(peppers: Record<string, Buffer>): Map<number, Buffer> {
  return new Map(Object.entries(peppers).map(([version, bytes]) => [Number(version), bytes]));
}

/** Reads the environment; throws a `ConfigError` that lists every bad variable. */
export function readConfig(env: NodeJS.ProcessEnv): AuthConfig {
  return parseEnvironment(environment, env);
}
