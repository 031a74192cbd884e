import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { writeJson } from "./files.ts";
import { takeLock } from "./lock.ts";
import { refOf } from "./processes.ts";

const quiet = () => undefined;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("refuses a second launcher and tells it where the first runs", async () => {
  const file = join(folder, "held.json");
  await using lock = await takeLock(file, quiet);
  await lock.announce("http://127.0.0.1:3000");
  await expect(takeLock(file, quiet)).rejects.toThrow(
    `at http://127.0.0.1:3000 (process ${process.pid})`,
  );
});

test("a released lock can be taken", async () => {
  const file = join(folder, "free.json");
  await (await takeLock(file, quiet))[Symbol.asyncDispose]();
  await using again = await takeLock(file, quiet);
  expect(again).toBeDefined();
});

test("the lock of a killed launcher is void", async () => {
  const file = join(folder, "killed.json");
  const child = spawn("sleep", ["60"]);
  await writeJson(file, refOf(child.pid ?? 0));
  child.kill("SIGKILL");
  await once(child, "exit");
  await using lock = await takeLock(file, quiet);
  expect(lock).toBeDefined();
});

test("waits for a launcher that is stopping for longer than for one that runs on, and says so", async () => {
  const [file, other] = [join(folder, "stopping.json"), join(folder, "running.json")];
  const first = await takeLock(file, quiet);
  await first.announceStop();
  await using _ = await takeLock(other, quiet);
  const say = vi.fn();
  const second = takeLock(file, say);
  await expect(takeLock(other, quiet)).rejects.toThrow("already running");
  const early = new Promise((resolve) => setImmediate(resolve, "waiting"));
  expect(await Promise.race([second, early])).toBe("waiting");
  expect(say.mock.calls).toEqual([["An earlier start is stopping; waiting for its end."]]);
  await first[Symbol.asyncDispose]();
  await using lock = await second;
  expect(lock).toBeDefined();
});

test("of several starts that wait for the same launcher, only one takes its place", async () => {
  const file = join(folder, "contended.json");
  const first = await takeLock(file, quiet);
  await first.announceStop();
  const starts = Array.from({ length: 5 }, () => takeLock(file, quiet));
  await first[Symbol.asyncDispose]();
  const results = await Promise.allSettled(starts);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a lock that a crash has truncated is void", async () => {
  const file = join(folder, "truncated.json");
  await writeFile(file, "");
  await using lock = await takeLock(file, quiet);
  expect(lock).toBeDefined();
});

test("a lock whose process id now belongs to another program is void", async () => {
  const file = join(folder, "reused.json");
  await writeJson(file, { pid: process.pid, started: "long ago" });
  await using lock = await takeLock(file, quiet);
  expect(lock).toBeDefined();
});
