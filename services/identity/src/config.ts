import {
  ConfigError,
  isProduction,
  json,
  parseEnvironment,
  port,
  secretText,
  webAddress,
} from "@nutrition/service/config";
import type { Secret } from "@nutrition/core/secret";
import { z } from "zod";

import type { SecuritySettings } from "./domain/security-settings.ts";

/** A user whom the provider creates at start unless the e-mail address exists. */
export interface SeedUser {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly emailVerified: boolean;
}

export interface IdentityConfig {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Without a trailing slash; `http://<host>:<port>/auth/v1` by default. */
  readonly issuer?: string | undefined;
  /** Address of the site whose page asks for consent, without a trailing slash. */
  readonly siteUrl: string;
  /** Path of that page; `/oauth/consent` by default. */
  readonly authorizationPath?: string | undefined;
  /** Additional addresses that a sign-in may return to; a trailing `**` matches anything. */
  readonly allowedRedirects: readonly string[];
  /** File that keeps the state across restarts; without one, state is lost. */
  readonly dataFile?: string | undefined;
  /** Lifetime of an access token in seconds; 3600 by default. */
  readonly accessTokenSeconds?: number | undefined;
  /** Key with which the pages invite and delete people; without one, nobody can. */
  readonly adminKey?: Secret | undefined;
  /** Target of the links in mails; `provider` by default, as in upstream's unchanged templates. */
  readonly mailLinksTo?: "provider" | "site" | undefined;
  /** Mails that the project sends in an hour; 30 by default. */
  readonly mailsPerHour?: number;
  /** Whether sign-ups are confirmed without a mail; they are not by default. */
  readonly autoconfirm?: boolean;
  /** Deviations from the documented settings, to show what those prevent. */
  readonly security?: Partial<SecuritySettings>;
  readonly users: readonly SeedUser[];
}

const users = z.array(
  z.object({
    email: z.email(),
    password: z.string().min(1),
    name: z.string(),
    emailVerified: z.boolean(),
  }),
);

const environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(3_001),
  ISSUER: webAddress.optional(),
  SITE_URL: webAddress,
  AUTHORIZATION_PATH: z.string().startsWith("/").optional(),
  ALLOWED_REDIRECTS: z.string().default(""),
  DATA_FILE: z.string().optional(),
  ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(1).max(604_800).optional(),
  ADMIN_KEY: secretText.optional(),
  MAIL_LINKS_TO: z.enum(["provider", "site"]).default("provider"),
  USERS: json(users).default([]),
});

/**
 * Reads the environment. Throws a `ConfigError` that names every invalid variable, and always when
 * `DEPLOYMENT` or `NODE_ENV` is `production`.
 */
export function readConfig(variables: NodeJS.ProcessEnv): IdentityConfig {
  if (isProduction(variables) || variables["NODE_ENV"] === "production") {
    throw new ConfigError(
      "The development identity provider does not run in production (DEPLOYMENT or NODE_ENV): its third-party " +
        "sign-in trusts anyone and its mails are readable by anyone. Set AUTH_URL to a real provider.",
    );
  }
  const values = parseEnvironment(environment, variables);
  return {
    host: values.HOST,
    port: values.PORT,
    issuer: values.ISSUER,
    siteUrl: values.SITE_URL,
    authorizationPath: values.AUTHORIZATION_PATH,
    allowedRedirects: values.ALLOWED_REDIRECTS.split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
    dataFile: values.DATA_FILE,
    accessTokenSeconds: values.ACCESS_TOKEN_SECONDS,
    adminKey: values.ADMIN_KEY,
    mailLinksTo: values.MAIL_LINKS_TO,
    users: values.USERS,
  };
}
