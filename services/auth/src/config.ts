import { KeySigner } from "@nutrition/core/key-signing";
import type { Secret } from "@nutrition/core/secret";
import type { VerifierOptions } from "@nutrition/rpc/identity";
import type { TlsPaths } from "@nutrition/rpc/tls-files";
import {
  internalTlsPaths,
  parseEnvironment,
  redisUrl,
  rpcServiceEnvironment,
} from "@nutrition/service/config";
import { versionedSecrets } from "@nutrition/service/versioned-secrets";
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
  /** PostgreSQL's data folder, if it is on this machine. */
  databaseFolder?: string | undefined;
  /**
   * Redis that revocations are published to; without it, other services notice them seconds later.
   */
  redisUrl?: Secret | undefined;
  trustedKeys: VerifierOptions["trustedKeys"];
  /** TLS files; plain text if absent. */
  internalTls?: TlsPaths | undefined;
  peppers: Peppers;
  /** Signs new keys; without it, they can only be looked up. */
  keySigner?: KeySigner | undefined;
}

// The service calls no other service, so it has no key of its own.
const environment = rpcServiceEnvironment
  .omit({ IDENTITY_PRIVATE_KEY: true })
  .extend({
    /** Peppers by version as base64, such as `{"1":"…"}`. Keep each one as long as keys use it. */
    KEY_PEPPERS: versionedSecrets,
    /** Version that new keys are hashed and signed with. */
    KEY_PEPPER_VERSION: z.coerce.number().int().min(1),
    /** Secrets by version, as above, that gateways verify keys with; they need the same ones. */
    KEY_SIGNING_SECRETS: versionedSecrets.optional(),
    REDIS_URL: redisUrl.optional(),
  })
  .refine((values) => values.KEY_PEPPERS.has(values.KEY_PEPPER_VERSION), {
    path: ["KEY_PEPPER_VERSION"],
    message: "must be a version listed in KEY_PEPPERS",
  })
  .refine((values) => values.KEY_SIGNING_SECRETS?.has(values.KEY_PEPPER_VERSION) ?? true, {
    path: ["KEY_SIGNING_SECRETS"],
    message: "must contain a secret of KEY_PEPPER_VERSION",
  })
  .transform((values): AuthConfig => ({
    host: values.RPC_HOST,
    port: values.RPC_PORT,
    databaseUrl: values.DATABASE_URL,
    databasePasswordFallback: values.DATABASE_PASSWORD_FALLBACK,
    databaseFolder: values.DATABASE_FOLDER,
    redisUrl: values.REDIS_URL,
    trustedKeys: values.IDENTITY_TRUSTED_KEYS,
    internalTls: internalTlsPaths(values),
    peppers: new Peppers(values.KEY_PEPPERS, values.KEY_PEPPER_VERSION),
    keySigner:
      values.KEY_SIGNING_SECRETS &&
      new KeySigner(values.KEY_SIGNING_SECRETS, values.KEY_PEPPER_VERSION),
  }));

/** Reads the environment; throws a `ConfigError` that lists every bad variable. */
export function readConfig(env: NodeJS.ProcessEnv): AuthConfig {
  return parseEnvironment(environment, env);
}
