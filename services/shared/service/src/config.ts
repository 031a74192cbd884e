import { Secret } from "@nutrition/core/secret";
import { z } from "zod";

/** Says everything that is wrong with the environment at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads a service's configuration. Throws a `ConfigError` that lists every bad variable; values are
 * not shown, as they may be secrets.
 */
export function parseEnvironment<Output>(
  schema: z.ZodType<Output>,
  environment: NodeJS.ProcessEnv,
): Output {
  const result = schema.safeParse(withoutEmpty(environment));
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `  ${issue.path.join(".")}: ${issue.message}`,
  );
  throw new ConfigError(`The configuration is not valid:\n${problems.join("\n")}`);
}

/** An empty variable means the same as none. */
function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}

/** Any text, kept out of logs. */
export const secretText = z.string().transform((value) => new Secret(value));

export const redisUrl = z
  .url({ protocol: /^rediss?$/, error: "must look like redis://host:6379" })
  .transform((url) => new Secret(url));

export const port = z.coerce.number().int().min(0).max(65_535);

const ed25519Jwk = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string(),
});

/** JSON text that holds a value of the given shape. */
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

/** What every service needs to speak to others. */
export const identityEnvironment = z.object({
  /** Own private Ed25519 key as a JWK. */
  IDENTITY_PRIVATE_KEY: json(ed25519Jwk.extend({ d: z.string() })),
  /** Public keys as a JWKS; `kid` is the name of the service. */
  IDENTITY_TRUSTED_KEYS: json(z.object({ keys: z.array(ed25519Jwk.extend({ kid: z.string() })) })),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
});

/** What every gRPC service with a database needs. */
export const rpcServiceEnvironment = identityEnvironment.extend({
  RPC_HOST: z.string().default("127.0.0.1"),
  RPC_PORT: port.default(0),
  DATABASE_URL: secretText,
});
