import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { DatabaseAddress } from "@nutrition/core/database-address";
import { parseEnvironment } from "@nutrition/service/config";
import { loggingEnvironment } from "@nutrition/service/logger";

import { OPERATOR, TOPOLOGY } from "./topology.ts";
import type { ServiceName } from "./topology.ts";

/** Root of the repository. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

export interface LocalConfig {
  /** Folder of all data that is kept between starts. */
  dataFolder: string;
  /** Public port; `isFixed` when it was requested and must not be replaced. */
  port: { first: number; isFixed: boolean };
  /** Address the gateway listens on. */
  host: string;
  /** Public base URL; by default derived from host and port. */
  baseUrl: string | undefined;
  /** Your own identity provider; absent for the development one. */
  authUrl?: string | undefined;
  /** Administrator's address of a PostgreSQL to use instead of the built-in one. */
  databaseUrl: string | undefined;
  /** Whether the services report each request to a viewer on this machine. */
  observe: boolean;
  /** The requested services, which run with everything they need; all if absent. */
  only?: readonly ServiceName[] | undefined;
  /** Services that open a debugger port. */
  inspect?: readonly ServiceName[] | undefined;
  /** Whether services restart when their files change. */
  watch?: boolean | undefined;
  /** Format of logs on the terminal; if absent, text, and only on a terminal. */
  logFormat?: "json" | "text" | undefined;
  /** The launcher's own environment, from which each service gets only what it needs. */
  environment: Readonly<NodeJS.ProcessEnv>;
}

const DEFAULT_PORT = 3000;

/**
 * Reads the launcher's settings and the arguments that follow `npm start --`. Throws a readable
 * message.
 */
export function readConfig(
  environment: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): LocalConfig {
  const nonEmpty = (name: string) => environment[name] || undefined;
  const port = nonEmpty("PORT");
  if (
    port !== undefined &&
    !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535 && Number(port) > 0)
  ) {
    throw new Error(`PORT must be a number from 1 to 65535, not "${port}".`);
  }
  const databaseUrl = nonEmpty("DATABASE_URL");
  if (databaseUrl !== undefined) assertDatabaseAddress(databaseUrl);
  const baseUrl = nonEmpty("BASE_URL");
  if (baseUrl !== undefined && !hasScheme(baseUrl, /^https?:$/)) {
    throw new Error("BASE_URL must look like https://journal.example.com.");
  }
  const authUrl = nonEmpty("AUTH_URL");
  if (authUrl !== undefined && !hasScheme(authUrl, /^https?:$/)) {
    throw new Error("AUTH_URL must look like https://project.supabase.co/auth/v1.");
  }
  if (nonEmpty("DEPLOYMENT") === "production") {
    throw new Error(
      "npm start is for development: its services communicate in plain text. Unset DEPLOYMENT, " +
        "or start each service separately as docs/architecture.md says.",
    );
  }
  if (authUrl === undefined && nonEmpty("NODE_ENV") === "production") {
    throw new Error(
      "NODE_ENV is production, where the built-in identity provider must not run: it lets anyone " +
        "sign in as anyone. Set AUTH_URL to your Supabase Auth address, or unset NODE_ENV.",
    );
  }
  const { LOG_FORMAT: logFormat } = readLogging(environment);
  return {
    dataFolder: resolve(nonEmpty("DATA_DIR") ?? join(ROOT, ".data")),
    port: { first: Number(port ?? DEFAULT_PORT), isFixed: port !== undefined },
    host: nonEmpty("HOST") ?? "127.0.0.1",
    baseUrl: baseUrl?.replace(/\/+$/, ""),
    authUrl: authUrl?.replace(/\/+$/, ""),
    databaseUrl,
    ...readFlags(args),
    logFormat,
    environment,
  };
}

/** Throws an explanation for an invalid `LOG_LEVEL` or `LOG_FORMAT`. */
function readLogging(environment: NodeJS.ProcessEnv) {
  const { LOG_LEVEL, LOG_FORMAT } = environment;
  return parseEnvironment(loggingEnvironment, { LOG_LEVEL, LOG_FORMAT });
}

const USAGE = `Arguments after npm start -- or npm run dev --:
  --observe           shows requests as they run
  --only journal,auth runs only these services and what they need
  --inspect journal   opens a debugger port in these services
  --watch             restarts a service when its files change, as npm run dev does`;

type Flags = Pick<LocalConfig, "observe" | "only" | "inspect" | "watch">;

function readFlags(args: readonly string[]): Flags {
  const { observe, watch, only, inspect } = parseFlags(args);
  return { observe, watch, only: serviceNames(only), inspect: serviceNames(inspect) };
}

function parseFlags(args: readonly string[]) {
  try {
    const flag = { type: "boolean", default: false } as const;
    const options = {
      observe: flag,
      watch: flag,
      only: { type: "string" },
      inspect: { type: "string" },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch {
    throw new Error(USAGE);
  }
}

/** Reads comma-separated names. Throws for one that is not a service of the launcher. */
function serviceNames(text: string | undefined): readonly ServiceName[] | undefined {
  const names = text?.split(",").map((name) => name.trim());
  const unknown = names?.find((name) => name === OPERATOR || !Object.hasOwn(TOPOLOGY, name));
  if (unknown === undefined) return names as ServiceName[] | undefined;
  const serviceNames = Object.keys(TOPOLOGY).filter((name) => name !== OPERATOR);
  throw new Error(`There is no service "${unknown}". There are ${serviceNames.join(", ")}.`);
}

function assertDatabaseAddress(text: string): void {
  try {
    new DatabaseAddress(text);
  } catch (error) {
    throw new Error(`DATABASE_URL ${(error as Error).message}.`, { cause: error });
  }
}

function hasScheme(url: string, scheme: RegExp): boolean {
  return scheme.test(URL.parse(url)?.protocol ?? "");
}
