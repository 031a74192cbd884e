import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onFreePort } from "@nutrition/local/ports";
import { postgresUrl, startPostgres } from "@nutrition/local/postgres";

// No data outlives the run, so nothing needs to reach the disk.
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_connections: "300",
  shared_buffers: "128MB",
};

/** Starts the PostgreSQL of one test run; vitest calls the returned function after the run. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "nutrition-test-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // When run as root, the server uses another account, which needs access to its data.
  await chmod(folder, 0o711);
  const password = randomBytes(18).toString("base64url");
  const server = await onFreePort(async (port) => {
    const running = await startPostgres({
      // The folder of a failed attempt is deleted later.
      directory: join(folder, String(port)),
      log: join(folder, "server.log"),
      port,
      password,
      settings: SETTINGS,
      temporary: true,
    });
    return { ...running, port };
  });
  process.env["TEST_DATABASE_URL"] = postgresUrl({ port: server.port, password });
  return () => server.stop();
}
