import { Secret } from "@nutrition/core/secret";
import type { TlsPaths } from "@nutrition/rpc/tls-files";
import type { OperatorAccess } from "@nutrition/service/config";
import {
  ConfigError,
  identityEnvironment,
  internalTlsPaths,
  isProduction,
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
import type { Sender, SmtpServer } from "./domain/mail-settings.ts";
import { parseSender, parseSmtpUrl } from "./domain/mail-settings.ts";

type IdentityEnvironment = z.output<typeof identityEnvironment>;

export interface WebConfig {
  readonly host: string;
  readonly port: number;
  /** Address under which people see the pages, without a trailing slash. */
  readonly baseUrl: string;
  /** Address, and issuer, of the identity provider, without a trailing slash. */
  readonly authUrl: string;
  /** What accounts are bound to in place of the issuer, for the development identity provider. */
  readonly identityRealm?: string | undefined;
  /** Address for calls to the provider, if not its own. */
  readonly authInternalUrl?: string | undefined;
  /** Header `apikey` of a hosted identity provider. */
  readonly authApiKey: Secret | undefined;
  /** Required audience of access tokens. */
  readonly oauthAudience: string;
  /** The identity provider's names of the third parties that people may sign in with. */
  readonly signInProviders: readonly string[];
  /** Where mails are sent and by whom; without it, none are. */
  readonly mail?: { readonly server: SmtpServer; readonly sender: Sender } | undefined;
  /** Secrets of 32 bytes, base64url. The first encrypts cookies, all decrypt them. */
  readonly sessionKeys: readonly Secret[];
  readonly backends: BackendAddresses;
  /** Redis, which publishes ended sessions; without it, sessions end here within 4 s. */
  readonly redisUrl?: Secret | undefined;
  readonly identityPrivateKey: IdentityEnvironment["IDENTITY_PRIVATE_KEY"];
  /** Undefined without an operator's port. */
  readonly operator?: OperatorAccess | undefined;
  /** Plain text between services if absent. */
  readonly internalTls?: TlsPaths | undefined;
}

const sessionKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .transform((text) => new Secret(text));

/** Also the names of an operator's own OAuth and OpenID Connect providers, such as custom:acme. */
const THIRD_PARTY = /^(?:custom:)?[a-z0-9_-]{1,50}$/;

/** Names separated by commas, or "none". */
const thirdParties = z
  .string()
  .default("google,github")
  .transform((text) => (text === "none" ? [] : text.split(",").map((item) => item.trim())))
  .pipe(z.array(z.string().regex(THIRD_PARTY)).max(6));

/** Text that `parse` understands. */
function parsed<Output>(parse: (text: string) => Output | undefined, error: string) {
  return z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}

const smtpUrl = parsed(parseSmtpUrl, "must look like smtp://user:password@host:587 or smtps://…");
const sender = parsed(parseSender, "must look like Nutrition journal <journal@example.com>");

const environment = identityEnvironment.omit({ IDENTITY_TRUSTED_KEYS: true }).extend({
  ...operatorEnvironment.shape,
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(3_100),
  BASE_URL: webAddress,
  AUTH_URL: webAddress,
  AUTH_INTERNAL_URL: webAddress.optional(),
  IDENTITY_REALM: z.string().optional(),
  AUTH_API_KEY: secretText.optional(),
  OAUTH_AUDIENCE: z.string().default("authenticated"),
  SIGN_IN_PROVIDERS: thirdParties,
  SESSION_KEYS: json(z.array(sessionKey).min(1).max(5)),
  AUTH_ADDRESS: z.string(),
  JOURNAL_ADDRESS: z.string(),
  LIMITS_ADDRESS: z.string(),
  REDIS_URL: redisUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: sender.optional(),
});

const productionEnvironment = environment.extend({
  IDENTITY_REALM: z
    .undefined({ error: "is for the development identity provider only" })
    .optional(),
});

/** Mails need both settings; one alone is a mistake. */
function mailOf({ SMTP_URL: server, MAIL_FROM: from }: z.output<typeof environment>) {
  if (server && from) return { server, sender: from };
  if (!server && !from) return undefined;
  throw new ConfigError("SMTP_URL and MAIL_FROM: set both to send mails, or neither.");
}

/** Reads the environment. Throws a `ConfigError` that names every invalid variable. */
export function readConfig(variables: NodeJS.ProcessEnv): WebConfig {
  const values = parseEnvironment(
    isProduction(variables) ? productionEnvironment : environment,
    variables,
  );
  return {
    host: values.HOST,
    port: values.PORT,
    baseUrl: values.BASE_URL,
    authUrl: values.AUTH_URL,
    authInternalUrl: values.AUTH_INTERNAL_URL,
    identityRealm: values.IDENTITY_REALM,
    authApiKey: values.AUTH_API_KEY,
    oauthAudience: values.OAUTH_AUDIENCE,
    signInProviders: values.SIGN_IN_PROVIDERS,
    mail: mailOf(values),
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
