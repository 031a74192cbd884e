import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Failure } from "@nutrition/core/failure";
import { z } from "zod";

/** Services that an operator speaks to. */
export type Target = "auth" | "journal" | "limits" | "analysis";

/** Where the services are and the key that proves the operator to them. */
export interface AdminConfig {
  /** `host:port` of each service that is known. */
  addresses: { readonly [Name in Target]?: string | undefined };
  /** Ed25519 private key as a JWK. */
  privateKey: PrivateKey;
}

/** Where the local launcher keeps its data unless DATA_DIR says otherwise. */
const DATA_FOLDER = join(import.meta.dirname, "../../../.data");

const privateKey = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
  d: z.string(),
});

type PrivateKey = z.infer<typeof privateKey>;

/** What the local launcher writes while it runs. */
const runFile = z.object({
  auth_address: z.string(),
  journal_address: z.string(),
  limits_address: z.string(),
  analysis_address: z.string(),
  private_key: privateKey,
});

/**
 * Takes each value from the environment, else from the file in the launcher's data folder. Fails with `unavailable`
 * when there is no key, as nothing seems to run. What is read is never part of a message.
 */
export function readConfig(env: NodeJS.ProcessEnv): AdminConfig {
  const running = readRunFile(join(env["DATA_DIR"] || DATA_FOLDER, "run/admin.json"));
  const key = env["IDENTITY_PRIVATE_KEY"]
    ? parse(privateKey, env["IDENTITY_PRIVATE_KEY"], "IDENTITY_PRIVATE_KEY")
    : running?.private_key;
  if (!key) throw notRunning();
  return {
    addresses: {
      auth: env["AUTH_ADDRESS"] || running?.auth_address,
      journal: env["JOURNAL_ADDRESS"] || running?.journal_address,
      limits: env["LIMITS_ADDRESS"] || running?.limits_address,
      analysis: env["ANALYSIS_ADDRESS"] || running?.analysis_address,
    },
    privateKey: key,
  };
}

/** The services are not there to be called. */
export function notRunning(cause?: unknown): Failure {
  return new Failure(
    "unavailable",
    "NOT_RUNNING",
    "The services are not running here. Start them with npm start and leave that running, then try again.",
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
