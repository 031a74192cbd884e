import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { findFreePorts } from "../src/ports.ts";
import { isAlive, isRunning, refOf, signal } from "../src/processes.ts";
import { entriesOf, Launched, survivors } from "./launched.ts";

const START_TIMEOUT_MS = 90_000;
const END_TIMEOUT_MS = 20_000;

let folder: string;
let port: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "npm-start-"));
  // As root, PostgreSQL runs under another account, which needs access to its data.
  await chmod(folder, 0o711);
  [port = 0] = await findFreePorts(1);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** `npm start`, as a supervisor or a container runs it. */
function npmStart(): Launched {
  const environment = { PORT: String(port), HOME: folder };
  const launched = new Launched(join(folder, "data"), environment, ["npm", "start"]);
  onTestFinished(async () => {
    launched.child.kill("SIGKILL");
    const launcher = await launched.launcher().catch(() => undefined);
    if (launcher && isRunning(launcher)) signal(launcher.pid, "SIGKILL");
  });
  return launched;
}

/** Everything that runs for it, PostgreSQL and the launcher among them. */
async function processesOf(journal: Launched) {
  const postgres = refOf(await journal.postgresPid());
  return { ...(await journal.processes()), postgres, launcher: await journal.launcher() };
}

test.each(["SIGKILL", "SIGTERM"] as const)(
  "%s to npm ends everything, a start at once waits for that, and the data is kept",
  { timeout: START_TIMEOUT_MS + END_TIMEOUT_MS },
  async (name) => {
    const first = npmStart();
    await first.untilReady();
    const entries = await entriesOf(first);
    const processes = await processesOf(first);
    first.child.kill(name);
    await first.exited;

    const second = npmStart();
    await second.untilReady();
    expect(survivors(processes)).toEqual([]);
    expect(await entriesOf(second)).toEqual(entries);

    const others = await processesOf(second);
    second.child.kill(name);
    await expect.poll(() => survivors(others), { timeout: END_TIMEOUT_MS }).toEqual([]);
    await expect(second.postgresPid()).rejects.toThrow("ENOENT");
  },
);

test(
  "SIGKILL to npm during a start ends what has been started",
  { timeout: START_TIMEOUT_MS },
  async () => {
    const journal = npmStart();
    await journal.untilPrinted("Starting the database");
    const launcher = await journal.launcher();
    journal.child.kill("SIGKILL");
    await expect.poll(() => isRunning(launcher), { timeout: END_TIMEOUT_MS }).toBe(false);
    await expect(journal.postgresPid()).rejects.toThrow("ENOENT");
    const services = await journal.processes().catch(() => ({}));
    expect(survivors(services)).toEqual([]);
  },
);

test(
  "without npm, as with nohup, the launcher outlives what started it",
  { timeout: START_TIMEOUT_MS },
  async () => {
    const [data, output] = [join(folder, "detached"), join(folder, "output")];
    const main = join(import.meta.dirname, "../start.mjs");
    const env = { PATH: process.env["PATH"], PORT: String(port), DATA_DIR: data };
    const command = `"${process.execPath}" "${main}" > "${output}" 2>&1 & echo $!`;
    const pid = Number(execFileSync("/bin/sh", ["-c", command], { env, encoding: "utf8" }));
    onTestFinished(async () => {
      signal(pid, "SIGTERM");
      await expect.poll(() => isAlive(pid), { timeout: END_TIMEOUT_MS }).toBe(false);
    });
    const printed = () => readFile(output, "utf8");
    await expect.poll(printed, { timeout: START_TIMEOUT_MS }).toContain("is running");
    expect(await printed()).not.toContain("Stopping");
  },
);
