/** How a condition appears in logs, in the details of readiness and in the operator's report. */
export interface DatabaseConditionTexts {
  /** What is wrong and what it does to people, as one sentence. */
  readonly message: string;
  /** The next step. */
  readonly advice: string;
}

/**
 * States of PostgreSQL that its administrator must end, by stable name. The names appear in the
 * metric `nutrition.database.condition`, the alerts and docs/runbooks/database-condition.md.
 */
export const DATABASE_CONDITIONS = {
  disk_full: {
    message: "The disk of PostgreSQL is full: writes fail with 503 until there is room.",
    advice:
      "Enlarge the disk or delete files that are not PostgreSQL's; never delete anything in its data folder.",
  },
  disk_nearly_full: {
    message: "The disk of PostgreSQL is nearly full: writes fail with 503 once it is.",
    advice:
      "Enlarge the disk or delete files that are not PostgreSQL's, and find out what grows (a replication slot that nobody reads, logs, backups).",
  },
  read_only: {
    message:
      "PostgreSQL accepts no writes: the server is a standby, or was set to read-only. Requests that need to write fail with 503.",
    advice:
      "After a failover, make the host in DATABASE_URL lead to the new primary, or list all hosts there. A managed database becomes read-only when its disk fills up: enlarge it.",
  },
  connections_used_up: {
    message: "PostgreSQL refuses connections, because all are in use: requests fail with 503.",
    advice:
      "End what holds them (pg_stat_activity), run fewer instances, or raise max_connections or the limit of the role.",
  },
  out_of_memory: {
    message: "PostgreSQL has run out of memory: some requests fail with 503.",
    advice: "Give it more memory, or lower shared_buffers, work_mem or max_connections.",
  },
  storage_failing: {
    message: "PostgreSQL cannot read or write its files: requests fail with 503.",
    advice: "Check its log and the health of its disk; fail over to a standby if there is one.",
  },
  unreachable: {
    message: "PostgreSQL cannot be reached: requests fail with 503.",
    advice: "Check whether it runs, and the host in DATABASE_URL.",
  },
} as const satisfies Readonly<Record<string, DatabaseConditionTexts>>;

export type DatabaseCondition = keyof typeof DATABASE_CONDITIONS;

export function isDatabaseCondition(name: string): name is DatabaseCondition {
  return Object.hasOwn(DATABASE_CONDITIONS, name);
}
