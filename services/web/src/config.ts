import { Secret } from "@nutrition/core/secret";
import type { TlsPaths } from "@nutrition/rpc/tls-files";
import type { OperatorAccess } from "@nutrition/service/config";
import {
  identityEnvironment,
  internalTlsPaths,
  json,
  operatorAccess,
  operatorEnvironment,
  parseEnvironment,
  port,
  redisUrl,
  secretText,
  webAddress,
} from "@nutrition/service/config";
import { z } from "zod";

import type { BackendAddresses } from "./clients/backends.ts";

type IdentityEnvironment = z.output<typeof identityEnvironment>;

export interface WebConfig {
  readonly host: string;
  readonly port: number;
  /** Address under which people see the pages, without a slash at the end. */
  readonly baseUrl: string;
  /** Address, and issuer, of the identity provider, without a slash at the end. */
  readonly authUrl: string;
  /** Where the provider is called from here, if not at its own address. */
  readonly authInternalUrl?: string | undefined;
  /** What a hosted identity provider wants in the header `apikey`. */
  readonly authApiKey: Secret | undefined;
  /** What access tokens must be meant for. */
  readonly oauthAudience: string;
  /** What the identity provider calls the third parties that people may sign in with. */
  readonly signInProviders: readonly string[];
  /** Secrets of 32 bytes, base64url. The first seals cookies, all open them. */
  readonly sessionKeys: readonly Secret[];
  readonly backends: BackendAddresses;
  /** Redis that tells of ended sessions at once; without it their end is seen within 4 s. */
  readonly redisUrl?: Secret | undefined;
  readonly identityPrivateKey: IdentityEnvironment["IDENTITY_PRIVATE_KEY"];
  /** Where the operator is answered; nowhere without. */
  readonly operator?: OperatorAccess | undefined;
  /** Plain text between services without. */
  readonly internalTls?: TlsPaths | undefined;
}

const sessionKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .transform((text) => new Secret(text));

const THIRD_PARTY = /^[a-z0-9_-]{1,30}$/;

/** Names separated by commas, or "none". */
const thirdParties = z
  .string()
  .default("google,github")
  .transform((text) => (text === "none" ? [] : text.split(",").map((item) => item.trim())))
  .pipe(z.array(z.string().regex(THIRD_PARTY)).max(6));

const environment = identityEnvironment.omit({ IDENTITY_TRUSTED_KEYS: true }).extend({
  ...operatorEnvironment.shape,
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(3_100),
  BASE_URL: webAddress,
  AUTH_URL: webAddress,
  AUTH_INTERNAL_URL: webAddress.optional(),
  AUTH_API_KEY: secretText.optional(),
  OAUTH_AUDIENCE: z.string().default("authenticated"),
  SIGN_IN_PROVIDERS: thirdParties,
  SESSION_KEYS: json(z.array(sessionKey).min(1).max(5)),
  AUTH_ADDRESS: z.string(),
  JOURNAL_ADDRESS: z.string(),
  LIMITS_ADDRESS: z.string(),
  REDIS_URL: redisUrl.optional(),
});

/** Reads the environment. Throws a `ConfigError` that names every bad variable. */
export function readConfig(variables: NodeJS.ProcessEnv): WebConfig {
  const values = parseEnvironment(environment, variables);
  return {
    host: values.HOST,
    port: values.PORT,
    baseUrl: values.BASE_URL,
    authUrl: values.AUTH_URL,
    authInternalUrl: values.AUTH_INTERNAL_URL,
    authApiKey: values.AUTH_API_KEY,
    oauthAudience: values.OAUTH_AUDIENCE,
    signInProviders: values.SIGN_IN_PROVIDERS,
    sessionKeys: values.SESSION_KEYS,
    backends: {
      auth: values.AUTH_ADDRESS,
      journal: values.JOURNAL_ADDRESS,
      limits: values.LIMITS_ADDRESS,
    },
    redisUrl: values.REDIS_URL,
    identityPrivateKey: values.IDENTITY_PRIVATE_KEY,
    internalTls: internalTlsPaths(values),
    operator: operatorAccess(values),
  };
}
