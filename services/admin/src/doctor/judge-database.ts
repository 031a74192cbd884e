import type { Database } from "@nutrition/proto/nutrition/operations/v1/operations_pb";

import type { Finding } from "./finding.ts";
import { ok, problem, warning } from "./finding.ts";
import { judgeClock } from "./judge-clock.ts";

/** Share of a role's connections in use above which another instance may find none free. */
const CONNECTIONS_NEARLY_USED = 0.8;

/** Checks what a service reports about its database. */
export function judgeDatabase(service: string, database: Database): Finding[] {
  const name = `${service} database`;
  if (!database.reachable) {
    const message = "The service cannot reach its database: requests that need it fail with 503.";
    const advice =
      "Check whether PostgreSQL runs and accepts the role (DATABASE_URL), whether all connections are in use, and what the service logged.";
    return [problem("database_unreachable", name, { message, advice })];
  }
  const { clockOffsetMs, clockErrorMs } = database;
  const leastMs = Math.sign(clockOffsetMs) * Math.max(0, Math.abs(clockOffsetMs) - clockErrorMs);
  return [
    judgeSchema(name, database),
    judgeRole(name, database),
    judgeConnections(name, database),
    judgeClock({ name, other: "the service's", offsetMs: leastMs }),
  ];
}

function judgeSchema(name: string, database: Database): Finding {
  const { schemaVersion, expectedSchemaVersion, pendingMigrations } = database;
  if (schemaVersion === undefined) {
    return warning("schema_unknown", name, {
      message: "The service's role may not see which migrations were applied.",
      advice: "Prepare the database again (npm start does this) to grant access.",
    });
  }
  if (pendingMigrations.length > 0) {
    return problem("migrations_pending", name, {
      message: `The schema is older than the service: it lacks ${pendingMigrations.join(", ")}.`,
      advice: "Apply the migrations (npm start does) before this version gets requests.",
    });
  }
  if (schemaVersion > expectedSchemaVersion) {
    return warning("schema_newer", name, {
      message: `The schema (${schemaVersion}) is newer than the service knows (${expectedSchemaVersion}). This works, and is normal during a roll-out.`,
      advice: "If no roll-out is under way, update the service.",
    });
  }
  return ok("schema_current", name, `The schema is up to date (${schemaVersion}).`);
}

function judgeRole(name: string, { ownedObjects, roleAttributes }: Database): Finding {
  const has = [
    ...roleAttributes,
    ...(ownedObjects > 0 ? [`ownership of ${ownedObjects} objects`] : []),
  ];
  if (has.length === 0)
    return ok("role_bounded", name, "The role can only read and write its rows.");
  return problem("role_unbounded", name, {
    message: `The service's role has more privileges than it needs (${has.join(", ")}): anyone with its password can do more than read and write rows.`,
    advice: "Give each service its own role, as npm start does, and use it in DATABASE_URL.",
  });
}

function judgeConnections(name: string, { connections, connectionLimit }: Database): Finding {
  if (connectionLimit === -1) {
    return warning("connections_unlimited", name, {
      message: "The role may open any number of connections, including those that others need.",
      advice: "Set a limit: alter role … connection limit ….",
    });
  }
  const counts = `${connections} of ${connectionLimit} connections are open`;
  if (connections < connectionLimit * CONNECTIONS_NEARLY_USED) {
    return ok("connections_free", name, `${counts}.`);
  }
  return warning("connections_nearly_used", name, {
    message: `${counts}; another instance may find none.`,
    advice:
      "Raise the limit of the role (alter role … connection limit …), or run fewer instances.",
  });
}
