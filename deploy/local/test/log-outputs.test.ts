import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { LogOutputs } from "../src/log-outputs.ts";
import { launchService } from "../src/service-process.ts";

const MIB = 2 ** 20;
/** A line has 64 bytes, so these fill one file and begin another. */
const LINES = 180_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "logs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, source: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, source);
  return file;
}

function launch(main: string, logs: LogOutputs, name: string) {
  return launchService({ main, environment: {}, log: logs.of(name) });
}

test("all lines of a killed program are in files of bounded size", async () => {
  const main = await program(
    "talkative.mjs",
    `import { writeSync } from "node:fs";
     for (let line = 0; line < ${LINES};) {
       let text = "";
       for (const end = line + 100; line < end; line += 1) text += String(line).padEnd(63, ".") + "\\n";
       writeSync(1, text);
     }
     process.kill(process.pid, "SIGKILL");`,
  );
  await using logs = new LogOutputs(folder, ["talkative", "quiet"], () => {});
  const service = await launch(main, logs, "talkative");
  await service.exited;
  const files = [join(folder, "talkative.1.log"), join(folder, "talkative.log")];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const lines = texts.join("").trimEnd().split("\n");
  expect(lines.length).toBe(LINES);
  expect(lines.every((line, index) => Number.parseInt(line, 10) === index)).toBe(true);
  for (const file of files) expect((await stat(file)).size).toBeLessThan(11 * MIB);
});

test("a restarted program continues in the same file", async () => {
  const main = await program("crashing.mjs", `throw new Error("no " + "luck");`);
  await using logs = new LogOutputs(folder, ["crashing"], () => {});
  for (const times of [1, 2]) {
    const service = await launch(main, logs, "crashing");
    await service.exited;
    const text = await readFile(logs.of("crashing").file, "utf8");
    expect(text.split("Error: no luck").length - 1).toBe(times);
  }
});

test("the last output of a program is written after its launcher was killed", async () => {
  const main = await program(
    "faithful.mjs",
    `import { writeSync } from "node:fs";
     process.once("disconnect", () => setTimeout(() => writeSync(1, "last words\\n"), 100));
     writeSync(1, "first words\\n");`,
  );
  const launcher = fork(join(import.meta.dirname, "hold-service.ts"), [main, folder]);
  await once(launcher, "message");
  launcher.kill("SIGKILL");
  const read = () => readFile(join(folder, "held.log"), "utf8");
  await expect.poll(read, { timeout: 10_000 }).toContain("last words");
});

/** Writes this many warnings, and exits. */
const WARNING = JSON.stringify({ level: 40, service: "journal", msg: "careful" });
const warn = (times: number) =>
  `import { writeSync } from "node:fs";
   const line = ${JSON.stringify(`${WARNING}\n`)};
   for (let at = 0; at < ${times}; at += 50) writeSync(1, line.repeat(50));`;

test("the terminal shows selected lines as text, and the file keeps the JSON records", async () => {
  const main = await program("warning.mjs", warn(50));
  await using logs = new LogOutputs(folder, ["warning"], () => {});
  const shown: string[] = [];
  logs.view({ format: "text", hasColours: false }, (lines) => shown.push(...lines.split("\n")));
  await (
    await launch(main, logs, "warning")
  ).exited;
  await expect.poll(() => shown.length).toBe(50);
  expect(shown[0]).toContain("journal  warn  careful");
  expect(await readFile(logs.of("warning").file, "utf8")).toBe(`${WARNING}\n`.repeat(50));
});

test("a paused terminal blocks no program, and later shows how much it missed", async () => {
  const times = 100_000;
  const main = await program("hasty.mjs", warn(times));
  await using logs = new LogOutputs(folder, ["hasty"], () => {});
  const shown: string[] = [];
  logs.view({ format: "json", hasColours: false }, (lines) => shown.push(...lines.split("\n")));
  const { exited } = await launch(main, logs, "hasty");
  // Paused: nothing is read from the writer during this wait.
  const { file } = logs.of("hasty");
  const endMs = performance.now() + 20_000;
  const bytes = (WARNING.length + 1) * times;
  const written = () => statSync(file, { throwIfNoEntry: false })?.size;
  while (performance.now() < endMs && written() !== bytes) continue;
  expect(written()).toBe(bytes);
  await exited;
  await (
    await launch(main, logs, "hasty")
  ).exited;
  await expect
    .poll(() => shown.some((line) => /lines are only in the files/.test(line)))
    .toBe(true);
}, 60_000);
