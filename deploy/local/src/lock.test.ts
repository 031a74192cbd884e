import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { writeJson } from "./files.ts";
import { takeLock } from "./lock.ts";
import { refOf } from "./processes.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("refuses a second launcher and tells it where the first runs", async () => {
  const file = join(folder, "held.json");
  await using lock = await takeLock(file);
  await lock.announce("http://127.0.0.1:3000");
  await expect(takeLock(file)).rejects.toThrow(`at http://127.0.0.1:3000 (process ${process.pid})`);
});

test("a released lock can be taken", async () => {
  const file = join(folder, "free.json");
  await (await takeLock(file))[Symbol.asyncDispose]();
  await using again = await takeLock(file);
  expect(again).toBeDefined();
});

test("the lock of a killed launcher is void", async () => {
  const file = join(folder, "killed.json");
  const child = spawn("sleep", ["60"]);
  await writeJson(file, refOf(child.pid ?? 0));
  child.kill("SIGKILL");
  await once(child, "exit");
  await using lock = await takeLock(file);
  expect(lock).toBeDefined();
});

test("a lock whose process id now belongs to another program is void", async () => {
  const file = join(folder, "reused.json");
  await writeJson(file, { pid: process.pid, started: "long ago" });
  await using lock = await takeLock(file);
  expect(lock).toBeDefined();
});
