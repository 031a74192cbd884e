import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openDataFolder } from "./data-folder.ts";

const MAIN = join(import.meta.dirname, "main.ts");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "data-folder-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("creates a folder with its parents, and opens it again unchanged", async () => {
  const root = join(folder, "one/two");
  const { logs } = await openDataFolder(root);
  await writeFile(join(logs, "kept.log"), "");
  expect(await openDataFolder(root)).toMatchObject({ root, logs });
  expect((await stat(join(logs, "kept.log"))).isFile()).toBe(true);
  expect((await stat(join(root, ".."))).mode & 0o077).toBe(0);
});

test("refuses a file as data folder, and leaves it unchanged", async () => {
  const file = join(folder, "file");
  await writeFile(file, "", { mode: 0o755 });
  const refusal = `DATA_DIR cannot be used: ${file} is a file. Choose another folder.`;
  await expect(openDataFolder(file)).rejects.toThrow(refusal);
  await expect(openDataFolder(join(file, "x"))).rejects.toThrow("would be inside a file");
  expect((await stat(file)).mode & 0o777).toBe(0o755);
});

test("refuses a folder with other files, and keeps its permissions", async () => {
  const root = join(folder, "others");
  await mkdir(root, { mode: 0o755 });
  await writeFile(join(root, "letter.txt"), "");
  await expect(openDataFolder(root)).rejects.toThrow(`${root} contains other files.`);
  expect((await stat(root)).mode & 0o777).toBe(0o755);
});

// A separate process: a busy loop there would block the test's own thread pool forever.
test.runIf(process.platform === "linux")(
  "a start whose folder cannot be created fails immediately",
  async () => {
    const env = { PATH: process.env["PATH"], DATA_DIR: "/proc/x" };
    const run = new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const options = { env, timeout: 8_000, killSignal: "SIGKILL" } as const;
      execFile(process.execPath, [MAIN], options, (error, _, stderr) =>
        resolve({ code: error?.code, stderr }),
      );
    });
    expect(await run).toEqual({
      code: 1,
      stderr:
        "\nDATA_DIR cannot be used: /proc/x cannot be created there. Choose another folder.\n",
    });
  },
  10_000,
);
