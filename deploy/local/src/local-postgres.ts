import { type DataFolder, findPostgresFolder } from "./data-folder.ts";
import type { Member } from "./fleet.ts";
import type { LogOutput } from "./log-outputs.ts";
import { findPostgres } from "./postgres-binaries.ts";
import { startPostgres } from "./postgres.ts";

/** Settings for a small server: one person on a machine whose memory others need. */
const SETTINGS = {
  shared_buffers: "32MB",
  max_connections: "100",
  max_wal_size: "256MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_parallel_workers_per_gather: "0",
  max_logical_replication_workers: "0",
  io_method: "sync",
  jit: "off",
  // Keeps error details out of the log: they repeat user data, such as e-mail addresses.
  log_error_verbosity: "terse",
};

/** The folder of the built-in PostgreSQL's data. */
export async function localPostgresFolder(folder: DataFolder): Promise<string> {
  const { owner } = await findPostgres();
  return findPostgresFolder(folder, owner);
}

/** The built-in PostgreSQL on its folder. */
export function localPostgres(server: {
  directory: string;
  port: number;
  password: string;
  log: LogOutput;
}): Member {
  return {
    name: "postgres",
    logFile: server.log.file,
    launch: () => startPostgres({ ...server, settings: SETTINGS }),
  };
}
