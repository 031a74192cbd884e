import { DATABASE_CONDITIONS, isDatabaseCondition } from "@nutrition/core/database-conditions";
import type { Database } from "@nutrition/proto/nutrition/operations/v1/operations_pb";

import type { Finding } from "./finding.ts";
import { ok, problem, warning } from "./finding.ts";
import { judgeClock } from "./judge-clock.ts";

/** Share of a role's connections in use above which another instance may find none free. */
const CONNECTIONS_NEARLY_USED = 0.8;

const RUNBOOK = "See docs/runbooks/database-condition.md.";

/** Checks what a service reports about its database. */
export function judgeDatabase(service: string, database: Database): Finding[] {
  const name = `${service} database`;
  const conditions = database.conditions.map((condition) => judgeCondition(name, condition));
  if (!database.reachable && conditions.length > 0) return conditions;
  if (!database.reachable) {
    const message = "The service cannot reach its database: requests that need it fail with 503.";
    const advice =
      "Check whether PostgreSQL runs and accepts the role (DATABASE_URL), whether all connections are in use, and what the service logged.";
    return [problem("database_unreachable", name, { message, advice })];
  }
  const { clockOffsetMs, clockErrorMs } = database;
  const leastMs = Math.sign(clockOffsetMs) * Math.max(0, Math.abs(clockOffsetMs) - clockErrorMs);
  return [
    ...conditions,
    judgeSchema(name, database),
    judgeRole(name, database),
    judgeConnections(name, database),
    ...judgeServerConnections(name, database),
    judgeClock({ name, other: "the service's", offsetMs: leastMs }),
  ];
}

/** A service of a newer version may name a condition that is unknown here. */
function judgeCondition(name: string, condition: string): Finding {
  if (!isDatabaseCondition(condition)) {
    const message = `The service reports "${condition}" of its database, which this version of the command line does not know.`;
    const advice = "Use the command line of the service's version.";
    return warning("database_condition_unknown", name, { message, advice });
  }
  const { message, advice } = DATABASE_CONDITIONS[condition];
  const texts = { message, advice: `${advice} ${RUNBOOK}` };
  const level = condition === "disk_nearly_full" ? warning : problem;
  return level(`database_${condition}`, name, texts);
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

/** Nothing is said while there are enough, and by services of versions that do not report them. */
function judgeServerConnections(name: string, database: Database): Finding[] {
  const { serverConnections, serverConnectionLimit } = database;
  if (serverConnections < serverConnectionLimit * CONNECTIONS_NEARLY_USED) return [];
  if (serverConnectionLimit === 0) return [];
  return [
    warning("server_connections_nearly_used", name, {
      message: `${serverConnections} of the ${serverConnectionLimit} connections of the server are open; soon it refuses more.`,
      advice: `End what holds them (pg_stat_activity), or raise max_connections. ${RUNBOOK}`,
    }),
  ];
}
