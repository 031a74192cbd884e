import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdtemp, open, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { connectAssistant } from "../e2e/assistants.ts";
import type { Watched } from "./what-is-said.ts";
import {
  complaintsIn,
  conditionsOf,
  doctor,
  logOnce,
  readOnce,
  startWatched,
  transcript,
} from "./what-is-said.ts";

const MIB = 1_024 * 1_024;
const DISK_MIB = 400;
/** Reads and writes until PostgreSQL needs another page, which the full disk does not have. */
const TRIES_MAX = 600;
const EVERYWHERE = 4;

let disk: string;
const usualFolder = process.env["TMPDIR"];

/** Only root may mount a small disk. */
const isWithoutDisk = process.getuid?.() !== 0 || spawnSync("mount", ["--version"]).status !== 0;
if (isWithoutDisk) {
  console.warn("\n*** The tests on a full disk need root and mount: they are SKIPPED. ***\n");
}

beforeAll(async () => {
  if (isWithoutDisk) return;
  disk = await mkdtemp(join(tmpdir(), "nutrition-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "tmpfs", disk]);
  // PostgreSQL's account needs access.
  await chmod(disk, 0o711);
  process.env["TMPDIR"] = disk;
});
afterAll(async () => {
  if (isWithoutDisk) return;
  if (usualFolder === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usualFolder;
  execFileSync("umount", ["--lazy", disk]);
  await rm(disk, { recursive: true, force: true });
});

/** Fills the disk until only this many bytes are free. */
async function fill(freeBytes: number): Promise<void> {
  await using file = await open(join(disk, "ballast"), "a");
  const chunk = Buffer.alloc(64 * 1_024);
  for (;;) {
    const { bavail, bsize } = await statfs(disk);
    const left = bavail * bsize - freeBytes;
    if (left <= 0) return;
    await file.write(chunk, 0, Math.min(left, chunk.length));
  }
}

/** The first result that is not as usual. */
async function untilDifferent<Result>(
  attempt: (tried: number) => Promise<Result>,
  isUsual: (result: Result) => boolean,
): Promise<Result> {
  for (let tried = 0; ; tried += 1) {
    const result = await attempt(tried);
    if (!isUsual(result) || tried === TRIES_MAX) return result;
  }
}

const everyone = async (watched: Watched) => (await conditionsOf(watched)).flat();

test.skipIf(isWithoutDisk)(
  "a disk that fills up is named before it is full and after, and everything works again once there is room",
  async () => {
    await using stack = new AsyncDisposableStack();
    const watched = stack.use(await startWatched({}));
    const { system } = watched;
    const { key } = await system.account("disk@example.com", "--premium");
    const assistant = stack.use(await connectAssistant(system.baseUrl, key));
    expect(await everyone(watched)).toEqual([]);

    await fill(30 * MIB);
    const nearly = Array.from({ length: EVERYWHERE }, () => "disk_nearly_full");
    await expect.poll(() => everyone(watched), { timeout: 20_000 }).toEqual(nearly);
    const early = await doctor(watched);

    await fill(0);
    const read = await untilDifferent(
      () => readOnce(watched, key),
      ({ status }) => status === 200,
    );
    const logged = await untilDifferent(
      (tried) => logOnce(assistant, `${tried + 1} apples`),
      ({ isError }) => !isError,
    );
    const hasAll = async () =>
      (await conditionsOf(watched)).every((each) => each.includes("disk_full"));
    await expect.poll(hasAll, { timeout: 20_000 }).toBe(true);
    const late = await doctor(watched);
    const readiness = (await watched.readinessOf("limits")).text;

    await rm(join(disk, "ballast"));
    const startedMs = performance.now();
    await expect
      .poll(async () => (await readOnce(watched, key)).status, { interval: 20 })
      .toBe(200);
    const tookMs = Math.round(performance.now() - startedMs);
    await expect.poll(() => logOnce(assistant, "1 pear")).toMatchObject({ isError: false });
    await expect.poll(() => everyone(watched), { timeout: 90_000 }).toEqual([]);
    const terminal = system.output.split("\n").filter((line) => line.includes("condition="));
    transcript("a full disk", {
      "REST client": JSON.stringify(read),
      "MCP client": JSON.stringify(logged),
      "/readyz of limits at the operations port": readiness,
      "admin doctor, nearly full": complaintsIn(early.text),
      "admin doctor, full": complaintsIn(late.text),
      "terminal of npm start": terminal.join("\n"),
      "first success of a read after there was room, in ms": String(tookMs),
    });

    expect(read).toMatchObject({ status: 503, retryAfter: "2" });
    expect(logged).toMatchObject({ isError: true, text: expect.stringContaining("unavailable") });
    expect(early).toMatchObject({ exitCode: 0, text: expect.stringContaining("nearly full") });
    expect(late).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining("disk of PostgreSQL is full"),
    });
    // Once for all services.
    expect(terminal).toEqual([
      expect.stringContaining("nearly full: writes fail with 503 once it is. Enlarge"),
      expect.stringContaining("is full: writes fail with 503 until there is room. Enlarge"),
      expect.stringContaining("condition disk_nearly_full has ended"),
      expect.stringContaining("condition disk_full has ended"),
    ]);
  },
  240_000,
);
