import { text } from "node:stream/consumers";

import { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import { readApiServer, readDatabaseAddress, readDatabaseConfig } from "./config.ts";
import { prepareDatabase } from "./database/prepare-database.ts";
import { ensureSecret } from "./secrets/ensure-secret.ts";
import {
  KubernetesSecrets,
  readClusterAccess,
  SERVICE_ACCOUNT_FOLDER,
} from "./secrets/kubernetes-secrets.ts";
import { rotateObject } from "./secrets/rotate-object.ts";
import type { RotationStep } from "./secrets/rotate-secret.ts";
import { ROTATION_STEPS } from "./secrets/rotate-secret.ts";
import { ensureSecretFiles } from "./secrets/secret-files.ts";
import type { Patience } from "./until-available.ts";
import { untilAvailable } from "./until-available.ts";

const USAGE = `Usage: setup database | setup secrets NAME | setup files FOLDER | setup rotate ENTRY STEP
  database      gives each service its role and schema, and migrates the schemas
  secrets NAME  creates the Kubernetes Secret NAME, or adds missing entries
  files FOLDER  creates the same secrets as files, one for each container
  rotate ENTRY begin|switch|end
                takes a step of replacing an entry of the Secret that kubectl pipes in and out`;

/** Runs one command. Throws a readable message on failure. */
export async function runCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  patience: Patience,
): Promise<void> {
  const [command, name, ...rest] = args;
  if (command === "database" && name === undefined) return setUpDatabase(environment, patience);
  if (command === "secrets" && name !== undefined && rest.length === 0) {
    return setUpSecrets(name, environment, patience);
  }
  if (command === "files" && name !== undefined && rest.length === 0) {
    return setUpFiles(name, environment, patience);
  }
  const step = ROTATION_STEPS.find((known) => known === rest[0]);
  if (command === "rotate" && name !== undefined && step && rest.length === 1) {
    return rotateOnStandardInput(name, step);
  }
  throw new Error(USAGE);
}

async function setUpDatabase(environment: NodeJS.ProcessEnv, patience: Patience): Promise<void> {
  const config = readDatabaseConfig(environment);
  const adminUrl = config.adminUrl.reveal();
  await untilAvailable("the database", () => ask(adminUrl), patience);
  const migrations = await prepareDatabase(adminUrl, config.passwords, config.instancesMax);
  patience.logger.info({ migrations }, "database prepared");
}

async function ask(url: string): Promise<void> {
  await using database = new Database({ url, schema: "public", maxConnections: 1 });
  await database.query(sql`select`);
}

async function setUpSecrets(
  name: string,
  environment: NodeJS.ProcessEnv,
  patience: Patience,
): Promise<void> {
  const access = await readClusterAccess(readApiServer(environment), SERVICE_ACCOUNT_FOLDER);
  await using secrets = new KubernetesSecrets(access);
  const ensure = () => ensureSecret(secrets, name);
  const entries = await untilAvailable("the cluster's API server", ensure, patience);
  patience.logger.info({ secret: name, entries }, "Secret completed");
}

async function setUpFiles(
  folder: string,
  environment: NodeJS.ProcessEnv,
  { logger }: Patience,
): Promise<void> {
  const entries = await ensureSecretFiles(folder, readDatabaseAddress(environment));
  logger.info({ folder, entries }, "secret files completed");
}

/** Standard output contains only the Secret, for kubectl to read. */
async function rotateOnStandardInput(entry: string, step: RotationStep): Promise<void> {
  try {
    process.stdout.write(rotateObject(await text(process.stdin), entry, step));
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${(error as Error).message}\n`);
  }
}
