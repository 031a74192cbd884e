import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import { describeExit, type Exit, exitOf, MemoryExits } from "./exits.ts";
import { fileOf, type LogOutput, type OpenLog, openLog } from "./log-outputs.ts";
import { findPostgres, type PostgresBinaries, type ProcessOwner } from "./postgres-binaries.ts";
import { stopOrphanedServer } from "./orphaned-postgres.ts";
import type { Running } from "./supervisor.ts";

export interface PostgresOptions {
  /** Data folder; created if missing. The owner account must have access to it. */
  directory: string;
  /** Port on 127.0.0.1. */
  port: number;
  /** Password of the superuser `postgres`; used only for a new data folder. */
  password: string;
  /** Server parameters, such as `{ fsync: "off" }`. */
  settings: Readonly<Record<string, string>>;
  /** File that the server's messages are appended to, or the writer that does so. */
  log: string | LogOutput;
  /** Deletes the folder when the server ends, for any reason. */
  temporary?: boolean;
}

/** Address of the superuser of a server on this machine. */
export function postgresUrl({ port, password }: { port: number; password: string }): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

// The launcher holds the other end of the server's standard input, so that the server stops when
// the launcher is gone, even after SIGKILL. It waits a second, so that the services, which also
// exit then, can do so first. The shell becomes the server, so $$ is the id of both.
const GUARDED = `
exec 3<&0
(
  trap "" INT TERM HUP
  read -r _ <&3
  sleep 1
  kill -INT $$ 2>/dev/null
  if [ "$TEMPORARY" = yes ]; then
    while [ -e "$DIRECTORY/postmaster.pid" ]; do sleep 0.1; done
    rm -rf "$DIRECTORY"
  fi
) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

/**
 * Starts PostgreSQL on a data folder, after stopping a server that an earlier parent left there.
 * Resolves when it accepts connections; stopping it is a fast shutdown. Throws when the data is
 * another major version's, or when the server does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<Running> {
  const binaries = await findPostgres();
  await initialise(binaries, options);
  await stopOrphanedServer(options.directory);
  await using log = await openLog(options.log);
  const server = launch(binaries, options, log);
  const exited = exitOf(server).finally(log.drained);
  await untilReady(server, options);
  return {
    exited,
    kill: () => server.kill("SIGQUIT"),
    async stop() {
      await stop(server, exited);
      if (options.temporary) await rm(options.directory, { recursive: true, force: true });
    },
  };
}

async function initialise(binaries: PostgresBinaries, options: PostgresOptions): Promise<void> {
  const { directory } = options;
  const version = await readFile(join(directory, "PG_VERSION"), "utf8").catch(() => undefined);
  if (version?.trim() === binaries.major) return assertOwned(directory, binaries.owner);
  if (version !== undefined) throw otherMajorVersion(directory, version.trim(), binaries.major);
  // Renamed when complete: an interrupted attempt leaves nothing that looks like data.
  const building = `${directory}.new`;
  const passwordFile = `${directory}.password`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  try {
    if (binaries.owner) {
      const { uid, gid } = binaries.owner;
      await Promise.all([chown(building, uid, gid), chown(passwordFile, uid, gid)]);
    }
    await runInitdb(binaries, building, passwordFile);
    // The folder may exist but be empty: the owner of a temporary folder creates it to reserve the
    // name.
    await rm(directory, { recursive: true, force: true });
    await rename(building, directory);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function assertOwned(directory: string, owner: ProcessOwner | undefined): Promise<void> {
  const { uid } = await stat(directory);
  if (uid === (owner?.uid ?? process.getuid?.() ?? uid)) return;
  throw new Error(
    `${directory} was created by another account, and PostgreSQL only serves data that its account owns. Start ` +
      `as the account that started it first, or set DATA_DIR to another folder.`,
  );
}

async function runInitdb(
  { initdb, owner }: PostgresBinaries,
  directory: string,
  passwordFile: string,
): Promise<void> {
  const flags = ["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--no-sync"];
  // Sort order and case do not depend on the machine, but pg_trgm asks the system what a letter is.
  const letters = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  await promisify(execFile)(
    initdb,
    [
      `--pgdata=${directory}`,
      `--pwfile=${passwordFile}`,
      ...flags,
      ...locale,
      `--lc-ctype=${letters}`,
    ],
    { ...owner, cwd: "/" },
  );
}

function otherMajorVersion(directory: string, found: string, wanted: string): Error {
  return new Error(
    `${directory} contains data of PostgreSQL ${found}; this version of the service runs PostgreSQL ` +
      `${wanted}. To keep the data, dump it with a PostgreSQL ${found} (pg_dumpall) and restore it ` +
      `after a fresh start. To start fresh, move the folder away: mv ${directory} ${directory}-${found}`,
  );
}

function launch(
  { postgres, owner }: PostgresBinaries,
  options: PostgresOptions,
  { stdio }: OpenLog,
): ChildProcess {
  const settings = {
    port: String(options.port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(
    "/bin/sh",
    ["-c", GUARDED, "sh", postgres, "-D", options.directory, ...flags],
    {
      ...owner,
      cwd: "/",
      // A separate process group: the terminal's Ctrl-C is for the launcher only.
      detached: true,
      stdio: ["pipe", stdio, stdio],
      env: {
        PATH: process.env["PATH"],
        TEMPORARY: options.temporary ? "yes" : "no",
        DIRECTORY: options.directory,
      },
    },
  );
  // Nothing is written to the pipe; it breaks when the server exits before its guard.
  server.stdin?.on("error", () => undefined);
  server.once("exit", () => server.stdin?.destroy());
  return server;
}

async function untilReady(server: ChildProcess, options: PostgresOptions): Promise<void> {
  const memory = new MemoryExits();
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const { exitCode: code, signalCode: signal } = server;
    if (code !== null || signal !== null) {
      const exit = { code, signal };
      const cause = memory.explain(exit, "") ?? describeExit(exit);
      throw new Error(`PostgreSQL does not start. ${cause} Its log: ${fileOf(options.log)}`);
    }
    // The eighth line of the file has the state (PostgreSQL's pidfile.h).
    const file = await readFile(join(options.directory, "postmaster.pid"), "utf8").catch(() => "");
    const lines = file.split("\n");
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === "ready") return;
    await sleep(POLL_MS);
  }
  server.kill("SIGQUIT");
  throw new Error(`PostgreSQL is not ready after ${START_TIMEOUT_MS / 1_000} s.`);
}

async function stop(server: ChildProcess, exited: Promise<Exit>): Promise<void> {
  server.kill("SIGINT");
  const killTimer = setTimeout(() => server.kill("SIGQUIT"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(killTimer);
}
