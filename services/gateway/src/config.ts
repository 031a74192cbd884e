import type { Secret } from "@nutrition/core/secret";
import { identityEnvironment, parseEnvironment, port, redisUrl } from "@nutrition/service/config";
import { z } from "zod";

import type { BackendAddresses } from "./clients/backends.ts";

export interface GatewayConfig {
  readonly host: string;
  readonly port: number;
  /** Address that clients use, without a slash at the end. */
  readonly baseUrl: string;
  /** Address of the identity provider; undefined when there is none. */
  readonly authUrl: string | undefined;
  /** What access tokens must be meant for. */
  readonly oauthAudience: string;
  /** Address of the web service; undefined when its pages are not served here. */
  readonly webUrl: string | undefined;
  /** Where revocations are announced; undefined when nobody does. */
  readonly redisUrl: Secret | undefined;
  readonly trustProxyHops: number;
  /** Origins of browser clients that may use the tool endpoint, beside our own. */
  readonly allowedOrigins: readonly string[];
  /** Host names under which the tool endpoint may be called, beside that of the base address. */
  readonly allowedHosts: readonly string[];
  readonly backends: BackendAddresses;
  readonly identity: {
    readonly privateKey: z.output<typeof identityEnvironment>["IDENTITY_PRIVATE_KEY"];
  };
  readonly logLevel: z.output<typeof identityEnvironment>["LOG_LEVEL"];
}

const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((text) => text.replace(/\/+$/, ""));

const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ""));

const origins = list.pipe(
  z.array(
    z.string().refine((text) => URL.parse(text)?.origin === text, {
      error: "must be origins such as https://example.com, separated by commas",
    }),
  ),
);

const environment = identityEnvironment.omit({ IDENTITY_TRUSTED_KEYS: true }).extend({
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(3_000),
  BASE_URL: webAddress.optional(),
  AUTH_URL: webAddress.optional(),
  OAUTH_AUDIENCE: z.string().default("authenticated"),
  WEB_URL: webAddress.optional(),
  REDIS_URL: redisUrl.optional(),
  TRUST_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
  ALLOWED_ORIGINS: origins,
  ALLOWED_HOSTS: list,
  AUTH_ADDRESS: z.string(),
  JOURNAL_ADDRESS: z.string(),
  LIMITS_ADDRESS: z.string(),
});

/** Reads the environment. Throws a `ConfigError` that names every bad variable. */
export function readConfig(variables: NodeJS.ProcessEnv): GatewayConfig {
  const values = parseEnvironment(environment, variables);
  return {
    host: values.HOST,
    port: values.PORT,
    baseUrl: values.BASE_URL ?? `http://localhost:${values.PORT}`,
    authUrl: values.AUTH_URL,
    oauthAudience: values.OAUTH_AUDIENCE,
    webUrl: values.WEB_URL,
    redisUrl: values.REDIS_URL,
    trustProxyHops: values.TRUST_PROXY_HOPS,
    allowedOrigins: values.ALLOWED_ORIGINS,
    allowedHosts: values.ALLOWED_HOSTS,
    backends: {
      auth: values.AUTH_ADDRESS,
      journal: values.JOURNAL_ADDRESS,
      limits: values.LIMITS_ADDRESS,
    },
    identity: { privateKey: values.IDENTITY_PRIVATE_KEY },
    logLevel: values.LOG_LEVEL,
  };
}
