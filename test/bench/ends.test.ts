import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isAlive } from "@nutrition/local/processes";
import { isWithoutRedis } from "@nutrition/test-support/redis";
import { afterEach, beforeEach, expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "main.ts");
/** Longer than a benchmark and its children may take to end. */
const ENDED = { timeout: 30_000 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-bench-ends-"));
  // PostgreSQL runs under another account, if this is root.
  await chmod(folder, 0o711);
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** A benchmark that runs, and what it has printed. */
function start(args: readonly string[], PATH = process.env["PATH"]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, TMPDIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const running = { child, output: "", ended: once(child, "close") };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (running.output += text));
  }
  return running;
}

it("a benchmark that needs Redis says so before it does anything else", async () => {
  const running = start(["edge"], "/nonexistent");
  await running.ended;
  expect(running.child.exitCode).toBe(1);
  expect(running.output).toMatch(/^redis-server is not installed.*apt-get install redis-server\n$/);
});

it.skipIf(isWithoutRedis() || process.platform !== "linux").each([
  ["SIGTERM", "while it writes journals", "writing the journals", "100000"],
  ["SIGINT", "while it measures", "Measuring", "1000"],
  ["SIGKILL", "while it measures", "Measuring", "1000"],
] as const)(
  "nothing that a benchmark has started outlives its %s %s",
  async (signal, _when, printed, accounts) => {
    const running = start(["edge", `--accounts=${accounts}`]);
    await expect.poll(() => running.output, { timeout: 240_000 }).toContain(printed);
    const pid = running.child.pid ?? 0;
    await expect.poll(() => descendantsOf(pid), ENDED).not.toEqual([]);
    const started = await descendantsOf(pid);
    running.child.kill(signal);
    await running.ended;
    await expect.poll(() => started.filter(isAlive), ENDED).toEqual([]);
    const left = (await readdir(folder)).filter((name) => name.startsWith("nutrition-bench-"));
    if (signal !== "SIGKILL") expect(left).toEqual([]);
  },
  300_000,
);

/** Ids of the processes that it has started, and of those that these have started. */
async function descendantsOf(pid: number): Promise<number[]> {
  const all = (await readdir("/proc")).map(Number).filter((id) => id > 0);
  const parents = await Promise.all(all.map(async (id) => [id, await parentOf(id)] as const));
  const childrenOf = (parent: number): number[] =>
    parents.flatMap(([id, of]) => (of === parent ? [id, ...childrenOf(id)] : []));
  return childrenOf(pid);
}

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}
