import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { demoMeals } from "../src/demo-journal.ts";
import { findFreePorts } from "../src/ports.ts";
import { isAlive } from "../src/processes.ts";
import { entriesOf, Launched, survivors } from "./launched.ts";

const START_TIMEOUT_MS = 90_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "launcher-"));
  // As root, PostgreSQL runs under another account, which needs access to its data.
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a journal in a new folder; whatever the test leaves running is killed. */
async function launch(name: string, givenPort?: number): Promise<Launched> {
  const port = givenPort ?? (await findFreePorts(1))[0];
  const launched = new Launched(join(folder, name), { PORT: String(port) });
  onTestFinished(async () => {
    launched.child.kill("SIGKILL");
    await launched.exited;
  });
  return launched;
}

test(
  "the next start completes one that was killed halfway, without duplicates",
  { timeout: START_TIMEOUT_MS },
  async () => {
    const [port] = await findFreePorts(1);
    const first = await launch("interrupted", port);
    await first.untilPrinted("Writing 60 days");
    await expect
      .poll(async () => (await entriesOf(first)).length, { timeout: 30_000, interval: 400 })
      .toBeGreaterThan(5);
    expect(first.output).not.toContain("is running");
    const processes = await first.processes();
    const server = await first.postgresPid();
    first.child.kill("SIGKILL");
    await first.exited;

    const second = await launch("interrupted", port);
    await second.untilReady();
    expect(survivors(processes)).toEqual([]);
    expect(isAlive(server)).toBe(false);
    // The services exited before the database.
    const log = await readFile(join(first.dataFolder, "logs/auth.1.log"), "utf8");
    expect(log).toContain("the launcher ended");
    expect(log).not.toContain("terminating connection");
    const entries = await entriesOf(second);
    const lines = entries.flatMap(({ food_text }) => food_text.split("\n"));
    const today = entries[0]?.date ?? "";
    const expected = demoMeals(today).flatMap(({ foodText }) => foodText.split("\n"));
    expect(lines.sort()).toEqual(expected.sort());

    // Twice, as impatient people do; npm sends it twice, too.
    second.child.kill("SIGINT");
    second.child.kill("SIGINT");
    expect(await second.exited).toBe(0);
    expect(survivors(await second.processes())).toEqual([]);
    await expect(second.postgresPid()).rejects.toThrow("ENOENT");
  },
);

test("Ctrl-C during a start stops it and leaves nothing behind", async () => {
  const journal = await launch("hasty");
  await expect
    .poll(() => journal.processes().catch(() => undefined), { timeout: START_TIMEOUT_MS })
    .toBeDefined();
  journal.child.kill("SIGINT");
  expect(await journal.exited).toBe(0);
  expect(survivors(await journal.processes())).toEqual([]);
  await expect(journal.postgresPid()).rejects.toThrow("ENOENT");
});

test(
  "a second Ctrl-C kills processes that do not exit",
  { timeout: START_TIMEOUT_MS },
  async () => {
    const journal = await launch("stuck");
    await journal.untilReady();
    const processes = await journal.processes();
    process.kill(processes["journal"]?.pid ?? 0, "SIGSTOP");
    const press = () => {
      const left = survivors(processes);
      if (left.length > 0) journal.child.kill("SIGINT");
      return left;
    };
    await expect.poll(press, { interval: 150, timeout: 5_000 }).toEqual([]);
    expect(await journal.exited).toBe(130);
  },
);

test("reports a requested port that is in use, and what to do", async () => {
  const [port] = await findFreePorts(1);
  const server = createServer().listen(port, "127.0.0.1");
  onTestFinished(() => void server.close());
  const journal = new Launched(join(folder, "taken"), { PORT: String(port) });
  expect(await journal.exited).toBe(1);
  expect(journal.output).toContain(`Port ${port} of 127.0.0.1 cannot be used`);
});

test(
  "a service that does not start says why, without a stack",
  { timeout: START_TIMEOUT_MS },
  async () => {
    const [port] = await findFreePorts(1);
    const environment = { PORT: String(port), LIMITS_POLICY_FILE: "/nowhere/policies.json" };
    const journal = new Launched(join(folder, "misconfigured"), environment);
    expect(await journal.exited).toBe(1);
    expect(journal.output).toMatch(/limits does not start:\nLIMITS_POLICY_FILE .*no such file/);
    expect(journal.output).toContain("Its log: ");
    expect(journal.output).not.toMatch(/^ +at /m);
  },
);

test(
  "a port that is taken between its choice and its use only costs another attempt",
  { timeout: 2 * START_TIMEOUT_MS },
  async () => {
    const taker = pathToFileURL(join(import.meta.dirname, "take-port.ts")).href;
    const [port] = await findFreePorts(1);
    const environment = { PORT: String(port), NODE_OPTIONS: `--import ${taker}` };
    const journal = new Launched(join(folder, "raced"), environment);
    onTestFinished(async () => {
      journal.child.kill("SIGTERM");
      await journal.exited;
    });
    await journal.untilReady();
    expect(journal.output).toContain("taken by another program in the meantime; choosing others");
  },
);
