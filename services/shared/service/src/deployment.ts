const DEPLOYMENTS: readonly (string | undefined)[] = [undefined, "development", "production"];
const TLS_FILES = ["INTERNAL_TLS_CERT_FILE", "INTERNAL_TLS_KEY_FILE", "INTERNAL_TLS_CA_FILE"];
const SECRET_BYTES_MIN = 32;
/** 32 random bytes have about 30 different values; fewer than 16 practically never occur. */
const DIFFERENT_BYTES_MIN = 16;

/** Whether the environment is declared as production. */
export function isProduction(variables: NodeJS.ProcessEnv): boolean {
  return variables["DEPLOYMENT"] === "production";
}

/**
 * Problems of any service's environment beyond the form of each variable, without values.
 * Production (`DEPLOYMENT=production`) must state how calls between services are encrypted, and
 * must not use settings that only suit a developer's machine.
 */
export function deploymentProblems(variables: NodeJS.ProcessEnv): string[] {
  const problems = tlsProblems(variables);
  if (!DEPLOYMENTS.includes(variables["DEPLOYMENT"])) {
    problems.push("DEPLOYMENT: must be development or production");
  }
  return isProduction(variables) ? [...problems, ...productionProblems(variables)] : problems;
}

function tlsProblems(variables: NodeJS.ProcessEnv): string[] {
  if (variables["INTERNAL_TLS"] !== "files") return [];
  const problems = TLS_FILES.filter((name) => variables[name] === undefined).map(
    (name) => `${name}: must be set when INTERNAL_TLS is files`,
  );
  const { DATABASE_URL: database, REDIS_URL: redis, WEB_URL: web } = variables;
  if (web !== undefined && !web.startsWith("https:")) {
    problems.push("WEB_URL: must begin with https: when INTERNAL_TLS is files");
  }
  if (database !== undefined && !/[?&]sslmode=verify-full(&|$)/.test(database)) {
    problems.push(
      "DATABASE_URL: must have sslmode=verify-full (and sslrootcert=FILE unless a public authority signed the server's certificate) when INTERNAL_TLS is files",
    );
  }
  if (redis !== undefined && !redis.startsWith("rediss:")) {
    problems.push("REDIS_URL: must begin with rediss: when INTERNAL_TLS is files");
  }
  return problems;
}

function productionProblems(variables: NodeJS.ProcessEnv): string[] {
  const problems: string[] = [];
  if (variables["INTERNAL_TLS"] === undefined) {
    problems.push("INTERNAL_TLS: must be set in production, to files, mesh or none");
  }
  for (const name of ["BASE_URL", "AUTH_URL"]) {
    const address = variables[name];
    if (address === undefined || address.startsWith("https:")) continue;
    problems.push(`${name}: must begin with https: in production`);
  }
  for (const name of ["KEY_PEPPERS", "KEY_SIGNING_SECRETS", "SESSION_KEYS"]) {
    const text = variables[name];
    if (text === undefined || secretsIn(text).every(isRandom)) continue;
    problems.push(`${name}: must contain secrets of at least 32 random bytes in production`);
  }
  return problems;
}

/** The secrets of a JSON list, or of an object by version. */
function secretsIn(text: string): unknown[] {
  try {
    return Object.values(JSON.parse(text) as object);
  } catch {
    // The variable's own schema reports its errors.
    return [];
  }
}

/** Whether a secret in base64 or base64url looks random rather than chosen by a person. */
function isRandom(secret: unknown): boolean {
  if (typeof secret !== "string") return false;
  const bytes = Buffer.from(secret, "base64");
  return bytes.length >= SECRET_BYTES_MIN && new Set(bytes).size >= DIFFERENT_BYTES_MIN;
}
