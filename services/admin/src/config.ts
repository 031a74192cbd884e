import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Failure } from "@nutrition/core/failure";
import type { TlsPaths } from "@nutrition/rpc/tls-files";
import {
  ConfigError,
  internalTlsEnvironment,
  internalTlsPaths,
  parseEnvironment,
} from "@nutrition/service/config";
import { z } from "zod";

/** Services that an operator calls. */
export type Target = "auth" | "journal" | "limits" | "analysis" | "gateway" | "web";

/** Addresses of the services, and the key that authenticates the operator. */
export interface AdminConfig {
  /** `host:port` of each known service. */
  addresses: { readonly [Name in Target]?: string | undefined };
  /** Ed25519 private key as a JWK. */
  privateKey: PrivateKey;
  /** How calls are encrypted; plain text if absent. */
  internalTls: TlsPaths | undefined;
  /** Address that clients use, without a trailing slash; undefined when unknown. */
  baseUrl: string | undefined;
  /** Issuer of the identity provider; undefined when only the gateway knows it. */
  authUrl: string | undefined;
  /** Header `apikey` of a hosted identity provider. */
  authApiKey: string | undefined;
}

/** The local launcher's default data folder. */
const DATA_FOLDER = join(import.meta.dirname, "../../../.data");

const privateKey = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  d: z.string(),
  kid: z.string().exactOptional(),
});

type PrivateKey = z.infer<typeof privateKey>;

/** The file that the local launcher writes while it runs. */
const runFile = z.object({
  auth_address: z.string(),
  journal_address: z.string(),
  limits_address: z.string(),
  analysis_address: z.string(),
  gateway_address: z.string().exactOptional(),
  web_address: z.string().exactOptional(),
  private_key: privateKey,
  base_url: z.string().exactOptional(),
});

/**
 * Takes each value from the environment, otherwise from the file in the launcher's data folder. A
 * key in the environment is that of another installation, whose commands must not reach the local
 * one: the file is not read then. Fails with `unavailable` when there is no key, because nothing
 * seems to be running. Messages never contain the values.
 */
export function readConfig(env: NodeJS.ProcessEnv): AdminConfig {
  const ownKey = env["IDENTITY_PRIVATE_KEY"];
  const running = ownKey
    ? undefined
    : readRunFile(join(env["DATA_DIR"] || DATA_FOLDER, "run/admin.json"));
  const key = ownKey ? parse(privateKey, ownKey, "IDENTITY_PRIVATE_KEY") : running?.private_key;
  if (!key) throw notRunning();
  return {
    addresses: {
      auth: env["AUTH_ADDRESS"] || running?.auth_address,
      journal: env["JOURNAL_ADDRESS"] || running?.journal_address,
      limits: env["LIMITS_ADDRESS"] || running?.limits_address,
      analysis: env["ANALYSIS_ADDRESS"] || running?.analysis_address,
      gateway: env["GATEWAY_ADDRESS"] || running?.gateway_address,
      web: env["WEB_ADDRESS"] || running?.web_address,
    },
    privateKey: key,
    internalTls: readInternalTls(env),
    baseUrl: withoutSlash(env["BASE_URL"] || running?.base_url),
    authUrl: withoutSlash(env["AUTH_URL"]),
    authApiKey: env["AUTH_API_KEY"] || undefined,
  };
}

function withoutSlash(address: string | undefined): string | undefined {
  return address?.replace(/(?<!\/)\/+$/, "") || undefined;
}

function readInternalTls(env: NodeJS.ProcessEnv): TlsPaths | undefined {
  try {
    return internalTlsPaths(parseEnvironment(internalTlsEnvironment, env));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new Failure("failed_precondition", "INVALID_CONFIG", error.message);
  }
}

/** No service can be called. */
export function notRunning(cause?: unknown): Failure {
  return new Failure(
    "unavailable",
    "NOT_RUNNING",
    "The services are not running here. Start them with npm start and leave it running, then try again.",
    { cause },
  );
}

function readRunFile(path: string): z.infer<typeof runFile> | undefined {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  return parse(runFile, text, path);
}

function parse<Output>(shape: z.ZodType<Output>, text: string, source: string): Output {
  const result = shape.safeParse(parseJson(text));
  if (result.success) return result.data;
  throw new Failure(
    "failed_precondition",
    "INVALID_CONFIG",
    `${source} cannot be used. Stop the services, start them again with npm start, and retry.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
