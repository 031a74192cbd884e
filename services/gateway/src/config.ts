import { fileURLToPath } from "node:url";

import { KeyVerifier } from "@nutrition/core/key-signing";
import type { Secret } from "@nutrition/core/secret";
import type { TlsPaths } from "@nutrition/rpc/tls-files";
import type { OperatorAccess } from "@nutrition/service/config";
import {
  identityEnvironment,
  internalTlsPaths,
  isProduction,
  operatorAccess,
  operatorEnvironment,
  parseEnvironment,
  port,
  redisUrl,
  webAddress,
} from "@nutrition/service/config";
import { versionedSecrets } from "@nutrition/service/versioned-secrets";
import { z } from "zod";

import type { BackendAddresses } from "./clients/backends.ts";
import type { ProxyTrust } from "./domain/proxy-trust.ts";
import { proxyTrustOf } from "./domain/proxy-trust.ts";

/** The limits that ship with the limits service. */
export const SHIPPED_POLICIES = fileURLToPath(
  new URL("../../limits/policies.json", import.meta.url),
);

export interface GatewayConfig {
  readonly host: string;
  readonly port: number;
  /** Address that clients use, without a trailing slash. */
  readonly baseUrl: string;
  /** Address of the identity provider; undefined without one. */
  readonly authUrl: string | undefined;
  /** Address by which the gateway reaches the provider, if not its own. */
  readonly authInternalUrl?: string | undefined;
  /** What accounts are bound to in place of the issuer, for the development identity provider. */
  readonly identityRealm?: string | undefined;
  /** Development identity provider served under the base address; undefined without one. */
  readonly identityUrl?: string | undefined;
  /** Required audience of access tokens. */
  readonly oauthAudience: string;
  /** Address of the web service; undefined if this gateway does not serve its pages. */
  readonly webUrl: string | undefined;
  /** Address of the Redis on which revocations are published; undefined without one. */
  readonly redisUrl: Secret | undefined;
  /** Support contact for requests that no tool fulfills; undefined if not configured. */
  readonly support: string | undefined;
  /** Address of the operator's privacy policy; undefined if not configured. */
  readonly privacyUrl?: string | undefined;
  /** Token with which OpenAI verifies that the operator owns the host name. */
  readonly openAiChallenge?: string | undefined;
  /** Number of proxies in front whose `X-Forwarded-For` is trusted. */
  readonly trustProxyHops: number;
  /** Where this number is from. */
  readonly proxyTrust: ProxyTrust;
  /** Origins of browser clients that may call the tool endpoint, in addition to our own. */
  readonly allowedOrigins: readonly string[];
  /**
   * Host names under which the tool endpoint and the pages may be opened, in addition to that of the
   * base address.
   */
  readonly allowedHosts: readonly string[];
  /** Time before the stop in which clients are told to reconnect. */
  readonly leaveMs: number;
  /** File of the limits that the reference shows. */
  readonly limitsPolicyFile: string;
  readonly backends: BackendAddresses;
  readonly identity: {
    readonly privateKey: z.output<typeof identityEnvironment>["IDENTITY_PRIVATE_KEY"];
  };
  /** Verifies signed keys; without it, `auth` looks all keys up. */
  readonly keyVerifier?: KeyVerifier | undefined;
  /** Undefined without an operator's port. */
  readonly operator?: OperatorAccess | undefined;
  /** Plain text to the other services if absent. */
  readonly internalTls?: TlsPaths | undefined;
}

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
  ...operatorEnvironment.shape,
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(3_000),
  BASE_URL: webAddress.optional(),
  AUTH_URL: webAddress.optional(),
  AUTH_INTERNAL_URL: webAddress.optional(),
  IDENTITY_URL: webAddress.optional(),
  IDENTITY_REALM: z.string().optional(),
  OAUTH_AUDIENCE: z.string().default("authenticated"),
  WEB_URL: webAddress.optional(),
  REDIS_URL: redisUrl.optional(),
  /** An e-mail address or a page. */
  SUPPORT_ADDRESS: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], {
      error: "must be an e-mail address or an http or https address",
    })
    .optional(),
  PRIVACY_URL: webAddress.optional(),
  OPENAI_APPS_CHALLENGE: z.string().optional(),
  /** Without it, a proxy on this machine is inferred from `BASE_URL` and `HOST`. */
  TRUST_PROXY_HOPS: z.coerce.number().int().min(0).max(10).optional(),
  ALLOWED_ORIGINS: origins,
  ALLOWED_HOSTS: list,
  LEAVE_SECONDS: z.coerce.number().min(0).max(60).default(0),
  /** The same file as the limits service has; the shipped one by default. */
  LIMITS_POLICY_FILE: z.string().default(SHIPPED_POLICIES),
  /** The same secrets as `auth` has. */
  KEY_SIGNING_SECRETS: versionedSecrets.transform((secrets) => new KeyVerifier(secrets)).optional(),
  AUTH_ADDRESS: z.string(),
  JOURNAL_ADDRESS: z.string(),
  LIMITS_ADDRESS: z.string(),
});

const productionEnvironment = environment.required({ BASE_URL: true }).extend({
  IDENTITY_URL: z
    .undefined({ error: "is for development only; set AUTH_URL to a real provider" })
    .optional(),
  IDENTITY_REALM: z
    .undefined({ error: "is for the development identity provider only" })
    .optional(),
});

/** Reads the environment. Throws a `ConfigError` that names every invalid variable. */
export function readConfig(variables: NodeJS.ProcessEnv): GatewayConfig {
  const values = parseEnvironment(
    isProduction(variables) ? productionEnvironment : environment,
    variables,
  );
  const { HOST: host, TRUST_PROXY_HOPS: hops } = values;
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`;
  return {
    host,
    port: values.PORT,
    baseUrl,
    authUrl: values.AUTH_URL,
    authInternalUrl: values.AUTH_INTERNAL_URL,
    identityUrl: values.IDENTITY_URL,
    identityRealm: values.IDENTITY_REALM,
    oauthAudience: values.OAUTH_AUDIENCE,
    webUrl: values.WEB_URL,
    redisUrl: values.REDIS_URL,
    support: values.SUPPORT_ADDRESS,
    privacyUrl: values.PRIVACY_URL,
    openAiChallenge: values.OPENAI_APPS_CHALLENGE,
    ...proxyTrustOf({ hops, host, baseUrl }),
    allowedOrigins: values.ALLOWED_ORIGINS,
    allowedHosts: values.ALLOWED_HOSTS,
    leaveMs: values.LEAVE_SECONDS * 1_000,
    limitsPolicyFile: values.LIMITS_POLICY_FILE,
    backends: {
      auth: values.AUTH_ADDRESS,
      journal: values.JOURNAL_ADDRESS,
      limits: values.LIMITS_ADDRESS,
    },
    identity: { privateKey: values.IDENTITY_PRIVATE_KEY },
    internalTls: internalTlsPaths(values),
    keyVerifier: values.KEY_SIGNING_SECRETS,
    operator: operatorAccess(values),
  };
}
