import { Secret } from "@nutrition/core/secret";
import { databaseUrl, parseEnvironment, port, secretText } from "@nutrition/service/config";
import { z } from "zod";

import { DATABASE_SERVICES } from "./database/services.ts";

const databaseEnvironment = z.object({
  /** Address of an administrator, who need not be a superuser. */
  DATABASE_ADMIN_URL: databaseUrl.transform((url) => new Secret(url)),
  /**
   * Concurrent instances of a service, including replacements during a roll-out.
   */
  DATABASE_INSTANCES_MAX: z.coerce.number().int().min(2).max(200).optional(),
  DATABASE_PASSWORD_AUTH: secretText,
  DATABASE_PASSWORD_LIMITS: secretText,
  DATABASE_PASSWORD_ANALYSIS: secretText,
  DATABASE_PASSWORD_JOURNAL: secretText,
});

export interface DatabaseConfig {
  adminUrl: Secret;
  /** Password of each service's role. */
  passwords: Record<string, string>;
  /** See `DATABASE_INSTANCES_MAX`. */
  instancesMax: number | undefined;
}

/** Reads what the command `database` needs. Throws a `ConfigError`. */
export function readDatabaseConfig(environment: NodeJS.ProcessEnv): DatabaseConfig {
  const values = parseEnvironment(databaseEnvironment, environment);
  const passwords = DATABASE_SERVICES.map((service) => {
    const name = `DATABASE_PASSWORD_${service.toUpperCase() as Uppercase<typeof service>}` as const;
    return [service, values[name].reveal()];
  });
  return {
    adminUrl: values.DATABASE_ADMIN_URL,
    passwords: Object.fromEntries(passwords),
    instancesMax: values.DATABASE_INSTANCES_MAX,
  };
}

/** Kubernetes sets both in every container. */
const clusterEnvironment = z.object({
  KUBERNETES_SERVICE_HOST: z.string({ error: "must be set: run this in a pod of the cluster" }),
  KUBERNETES_SERVICE_PORT: port.default(443),
});

/** The address of the API server of the cluster that this runs in. Throws a `ConfigError`. */
export function readApiServer(environment: NodeJS.ProcessEnv): string {
  const values = parseEnvironment(clusterEnvironment, environment);
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: tcpPort } = values;
  return `https://${host.includes(":") ? `[${host}]` : host}:${tcpPort}`;
}

const addressEnvironment = z.object({
  /** Address of the database, without a user. */
  DATABASE_ADDRESS: databaseUrl,
});

/** Reads what the command `files` needs. Throws a `ConfigError`. */
export function readDatabaseAddress(environment: NodeJS.ProcessEnv): string {
  return parseEnvironment(addressEnvironment, environment).DATABASE_ADDRESS;
}
