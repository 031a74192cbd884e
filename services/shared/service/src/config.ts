import { DatabaseAddress } from "@nutrition/core/database-address";
import { Secret } from "@nutrition/core/secret";
import { z } from "zod";

import { deploymentProblems } from "./deployment.ts";

export { isProduction } from "./deployment.ts";

/** Reports everything that is wrong with the environment at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads a service's configuration. Throws a `ConfigError` that lists every invalid variable,
 * without values, which may be secrets.
 */
export function parseEnvironment<Output>(
  schema: z.ZodType<Output>,
  environment: NodeJS.ProcessEnv,
): Output {
  const variables = withoutEmpty(environment);
  const result = schema.safeParse(variables);
  const bad =
    result.error?.issues.map(({ path, message }) => {
      const isMissing = path.length === 1 && variables[String(path[0])] === undefined;
      return `${path.join(".")}: ${isMissing ? "is missing" : message}`;
    }) ?? [];
  const problems = [...new Set([...bad, ...deploymentProblems(variables)])];
  if (result.success && problems.length === 0) return result.data;
  const lines = problems.map((problem) => `  ${problem}`);
  throw new ConfigError(`The configuration is not valid:\n${lines.join("\n")}`);
}

/** An empty variable counts as absent. */
function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}

/**
 * Address of a database with one or several hosts, without or with a role and its password; see
 * `DatabaseAddress`.
 */
export const databaseUrl = z.string().transform((text, context) => {
  try {
    return String(new DatabaseAddress(text));
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
    return z.NEVER;
  }
});

/** Any text, kept out of logs. */
export const secretText = z.string().transform((value) => new Secret(value));

export const redisUrl = z
  .url({ protocol: /^rediss?$/, error: "must look like redis://host:6379" })
  .transform((url) => new Secret(url));

/** An http or https address, without a slash at the end. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((text) => text.replace(/\/+$/, ""));

export const port = z.coerce.number().int().min(0).max(65_535);

const ed25519Jwk = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
});

/** JSON text with a value of the given shape. */
export function json<Output>(shape: z.ZodType<Output>): z.ZodType<Output, string> {
  return z.string().transform((text, context) => {
    const parsed = shape.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: "must be JSON of the documented shape" });
    return z.NEVER;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const trustedJwk = ed25519Jwk.extend({
  kid: z.string().min(1),
  service: z.string().exactOptional(),
});

const jwks = z.object({ keys: z.array(trustedJwk) }).refine(({ keys }) => {
  const kids = keys.map(({ kid }) => kid);
  return new Set(kids).size === kids.length;
});

/** How calls between services are encrypted; see `deploymentProblems` for what each requires. */
export const internalTlsEnvironment = z.object({
  /**
   * `files`: by the services themselves; `mesh`: by the network that they run in; `none`: not at
   * all.
   */
  INTERNAL_TLS: z.enum(["files", "mesh", "none"]).optional(),
  /** PEM files, re-read when they change. */
  INTERNAL_TLS_CERT_FILE: z.string().optional(),
  INTERNAL_TLS_KEY_FILE: z.string().optional(),
  INTERNAL_TLS_CA_FILE: z.string().optional(),
});

export interface InternalTlsPaths {
  certFile: string;
  keyFile: string;
  caFile: string;
}

/** The files to encrypt with; undefined when the services use plain text. */
export function internalTlsPaths(
  values: z.output<typeof internalTlsEnvironment>,
): InternalTlsPaths | undefined {
  if (values.INTERNAL_TLS !== "files") return undefined;
  return {
    certFile: values.INTERNAL_TLS_CERT_FILE ?? "",
    keyFile: values.INTERNAL_TLS_KEY_FILE ?? "",
    caFile: values.INTERNAL_TLS_CA_FILE ?? "",
  };
}

/** Settings of every service for calling others and authenticating callers. */
export const identityEnvironment = internalTlsEnvironment.extend({
  /**
   * This service's private Ed25519 key as a JWK; a missing `kid` defaults to the name of the
   * service.
   */
  IDENTITY_PRIVATE_KEY: json(ed25519Jwk.extend({ d: z.string(), kid: z.string().exactOptional() })),
  /**
   * Public keys of all services as a JWKS. `service` names the owner of each, who may have several;
   * a key without it belongs to the service that its `kid` names.
   */
  IDENTITY_TRUSTED_KEYS: json(jwks),
});

/** Port of the operator's gRPC calls, for a service that no other service calls. */
export const operatorEnvironment = z.object({
  RPC_HOST: z.string().default("127.0.0.1"),
  /** If absent, the service opens no such port. */
  RPC_PORT: port.optional(),
  /** Public keys of possible callers, as in every other service; required with `RPC_PORT`. */
  IDENTITY_TRUSTED_KEYS: json(jwks).optional(),
});

export interface OperatorAccess {
  host: string;
  /** 0 picks a free port. */
  port: number;
  trustedKeys: z.output<typeof jwks>;
}

/**
 * The port of the operator's gRPC calls, if any. Throws a `ConfigError` when no caller could be
 * authenticated.
 */
export function operatorAccess(
  values: z.output<typeof operatorEnvironment>,
): OperatorAccess | undefined {
  const { RPC_HOST: host, RPC_PORT, IDENTITY_TRUSTED_KEYS: trustedKeys } = values;
  if (RPC_PORT === undefined) return undefined;
  if (!trustedKeys) {
    throw new ConfigError(
      "RPC_PORT needs IDENTITY_TRUSTED_KEYS: without it, no caller could be authenticated.",
    );
  }
  return { host, port: RPC_PORT, trustedKeys };
}

/** Settings of every gRPC service with a database. */
export const rpcServiceEnvironment = identityEnvironment.extend({
  RPC_HOST: z.string().default("127.0.0.1"),
  RPC_PORT: port.default(0),
  DATABASE_URL: databaseUrl.transform((url) => new Secret(url)),
  /**
   * Password to try when the one in `DATABASE_URL` is rejected; set only while the role's password
   * is being changed.
   */
  DATABASE_PASSWORD_FALLBACK: secretText.optional(),
  /** PostgreSQL's data folder, if it is on this machine: a full disk is then reported before it is full. */
  DATABASE_FOLDER: z.string().optional(),
});
