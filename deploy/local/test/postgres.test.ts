import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openDataFolder } from "../src/data-folder.ts";
import { localPostgres, localPostgresFolder } from "../src/local-postgres.ts";
import { LogOutputs } from "../src/log-outputs.ts";
import { findFreePorts } from "../src/ports.ts";
import { type PostgresOptions, postgresUrl, startPostgres } from "../src/postgres.ts";
import { isAlive } from "../src/processes.ts";

let folder: string;
let options: PostgresOptions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postgres-"));
  await chmod(folder, 0o711);
  const [port = 0] = await findFreePorts(1);
  options = {
    directory: join(folder, "data"),
    port,
    password: "a password: with / and @",
    settings: { shared_buffers: "16MB" },
    log: join(folder, "server.log"),
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function withDatabase<Result>(
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  await using database = new Database({ url: postgresUrl(options), schema: "public" });
  return work(database);
}

async function serverPid(): Promise<number> {
  const file = await readFile(join(options.directory, "postmaster.pid"), "utf8");
  return Number(file.split("\n")[0]);
}

test("committed data survives killing and restarting the server", async () => {
  const first = await startPostgres(options);
  await withDatabase((database) => database.query(sql`create table kept as select 42 as answer`));
  process.kill(await serverPid(), "SIGKILL");
  await first.exited;
  const second = await startPostgres(options);
  const rows = await withDatabase((database) => database.query(sql`select answer from kept`));
  await second.stop();
  expect(rows).toEqual([{ answer: 42 }]);
});

test("the server ends when its launcher is killed, and the next one takes over the data", async () => {
  const launcher = fork(join(import.meta.dirname, "hold-postgres.ts"), [JSON.stringify(options)]);
  await once(launcher, "message");
  const pid = await serverPid();
  launcher.kill("SIGKILL");
  // Immediately: the old server is still shutting down.
  const next = await startPostgres(options);
  expect(isAlive(pid)).toBe(false);
  expect(await serverPid()).not.toBe(pid);
  await next.stop();
});

test("refuses data of another major version with instructions, and leaves it unchanged", async () => {
  const directory = join(folder, "old");
  await mkdir(directory);
  await writeFile(join(directory, "PG_VERSION"), "16\n");
  await expect(startPostgres({ ...options, directory })).rejects.toThrow(
    `To start fresh, move the folder away: mv ${directory} ${directory}-16`,
  );
  expect(await readFile(join(directory, "PG_VERSION"), "utf8")).toBe("16\n");
});

test("a temporary server's folder is gone after its launcher was killed", async () => {
  const directory = join(folder, "temporary");
  const [port = 0] = await findFreePorts(1);
  const given = JSON.stringify({ ...options, directory, port, temporary: true });
  const launcher = fork(join(import.meta.dirname, "hold-postgres.ts"), [given]);
  await once(launcher, "message");
  launcher.kill("SIGKILL");
  const leftovers = () =>
    stat(join(directory, "PG_VERSION")).then(
      () => true,
      () => false,
    );
  await expect.poll(leftovers, { timeout: 10_000 }).toBe(false);
});

test("user data does not get into the log of the built-in server", async () => {
  const data = await openDataFolder(join(folder, "journal"));
  const [port = 0] = await findFreePorts(1);
  await using logs = new LogOutputs(data.logs, ["postgres"], () => {});
  const server = { port, password: "a password", log: logs.of("postgres") };
  const directory = await localPostgresFolder(data);
  const { launch, logFile } = localPostgres({ ...server, directory });
  const running = await launch();
  {
    await using database = new Database({ url: postgresUrl(server), schema: "public" });
    await database.query(sql`create table people (email text primary key)`);
    const add = () => database.query(sql`insert into people values (${"ada@example.com"})`);
    await add();
    await expect(add()).rejects.toThrow();
  }
  await running.stop();
  const log = await readFile(logFile, "utf8");
  expect(log).toContain("people_pkey");
  expect(log).not.toContain("ada@example.com");
});
