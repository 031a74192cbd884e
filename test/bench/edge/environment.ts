import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { chmod, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onFreePort } from "@nutrition/local/ports";
import { postgresUrl, startPostgres } from "@nutrition/local/postgres";

// Default durability. All data fits into the buffers: the programs are compared.
const SETTINGS = { shared_buffers: "384MB", max_wal_size: "4GB", max_connections: "300" };

/** Shared environment of both systems: one PostgreSQL, and a folder for their files. */
export interface Environment extends AsyncDisposable {
  folder: string;
  /** Process that is the parent of all of PostgreSQL's. */
  postgresPid: number;
  /** Administrator's address of a database. */
  databaseUrl: (name: string) => string;
}

/** Starts an empty PostgreSQL in a temporary folder; disposing deletes all of it. */
export async function startEnvironment(): Promise<Environment> {
  const folder = await mkdtemp(join(tmpdir(), "nutrition-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", remove);
  // As root, the server runs under another account, which needs access to its data.
  await chmod(folder, 0o711);
  const password = randomBytes(18).toString("base64url");
  const log = join(folder, "postgres.log");
  const place = { password, log, settings: SETTINGS, temporary: true };
  const server = await onFreePort(async (port) => {
    // The folder of a failed attempt is deleted later.
    const directory = join(folder, `postgres-${port}`);
    return { ...(await startPostgres({ ...place, directory, port })), directory, port };
  });
  const pidFile = await readFile(join(server.directory, "postmaster.pid"), "utf8");
  return {
    folder,
    postgresPid: Number.parseInt(pidFile, 10),
    databaseUrl(name) {
      const url = new URL(postgresUrl({ port: server.port, password }));
      url.pathname = `/${name}`;
      return url.href;
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      process.off("exit", remove);
      remove();
    },
  };
}
