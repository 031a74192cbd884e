import { execFile } from "node:child_process";
import { chown, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { onFreePort } from "@nutrition/local/ports";
import { postgresUrl, startPostgres } from "@nutrition/local/postgres";
import { findPostgres } from "@nutrition/local/postgres-binaries";
import type { Running } from "@nutrition/local/supervisor";
import { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

const PASSWORD = "of-the-administrator";
const SETTINGS = { max_connections: "100", shared_buffers: "32MB" };

export interface PostgresServerOptions {
  /** An empty folder, which PostgreSQL's account may enter. */
  folder: string;
  settings?: Readonly<Record<string, string>>;
}

/** A separate PostgreSQL server that tests stop, demote to a standby and promote. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #directory: string;
  readonly #log: string;
  #settings: Readonly<Record<string, string>>;
  #running: Running | undefined;

  private constructor(
    { folder, settings = {} }: PostgresServerOptions,
    port: number,
    running?: Running,
  ) {
    this.port = port;
    this.#directory = directoryOf(folder, port);
    this.#log = logOf(folder);
    this.#settings = settings;
    this.#running = running;
  }

  static start(options: PostgresServerOptions): Promise<PostgresServer> {
    return onFreePort(async (port) => {
      const running = await launch(options, port);
      return new PostgresServer(options, port, running);
    });
  }

  /** The superuser's address, through `port` if it is another one that leads here. */
  url(port = this.port): string {
    return postgresUrl({ port, password: PASSWORD });
  }

  /** Ends all connections and stops the server. */
  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  async start(): Promise<void> {
    const options = { log: this.#log, password: PASSWORD, port: this.port };
    const settings = { ...SETTINGS, ...this.#settings };
    this.#running = await startPostgres({ ...options, directory: this.#directory, settings });
  }

  /** Restarts it as a standby, which follows `primary` if there is one. */
  async demote(primary?: PostgresServer): Promise<void> {
    await this.stop();
    const signal = join(this.#directory, "standby.signal");
    await writeFile(signal, "");
    const { owner } = await findPostgres();
    if (owner) await chown(signal, owner.uid, owner.gid);
    if (primary) {
      const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD}`;
      this.#settings = { ...this.#settings, primary_conninfo: conninfo };
    }
    await this.start();
  }

  /** Makes a standby the primary; resolves when it is. */
  async promote(): Promise<void> {
    const { initdb, owner } = await findPostgres();
    const program = join(dirname(initdb), "pg_ctl");
    const args = ["promote", "--wait", `--pgdata=${this.#directory}`];
    await promisify(execFile)(program, args, { ...owner, cwd: "/" });
  }

  /** A stopped server with the same data, in another folder. */
  async copyTo(options: PostgresServerOptions): Promise<PostgresServer> {
    await this.stop();
    const copy = await onFreePort(async (port) => new PostgresServer(options, port));
    await promisify(execFile)("cp", ["-a", this.#directory, copy.#directory]);
    await this.start();
    return copy;
  }

  /** Whether the standbys of this server have everything that it has written. */
  async isReplicated(): Promise<boolean> {
    await using database = new Database({ url: this.url(), schema: "public" });
    const [row] = await database.query<{ lag: number }>(sql`
      select coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), 1)::int as lag
      from pg_stat_replication`);
    return row?.lag === 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

function launch({ folder, settings = {} }: PostgresServerOptions, port: number): Promise<Running> {
  return startPostgres({
    directory: directoryOf(folder, port),
    log: logOf(folder),
    port,
    password: PASSWORD,
    settings: { ...SETTINGS, ...settings },
  });
}

function directoryOf(folder: string, port: number): string {
  return join(folder, `postgres-${port}`);
}

function logOf(folder: string): string {
  return join(folder, "postgres.log");
}
