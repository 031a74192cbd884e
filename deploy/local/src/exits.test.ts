import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { describeExit, MemoryExits } from "./exits.ts";
import { Fleet } from "./fleet.ts";
import { launchService } from "./service-process.ts";

const KILLED = { code: null, signal: "SIGKILL" } as const;
const ADVICE = "Close other programs, or give this machine or container more memory";

describe("a killed process", () => {
  test("is said to have run out of memory when the system has killed one for that", () => {
    let kills = 3;
    const memory = new MemoryExits(() => kills);
    kills += 1;
    expect(memory.explain(KILLED, "")).toContain(`because memory ran out. ${ADVICE}`);
    // The same kill does not explain the next one.
    expect(memory.explain(KILLED, "")).toContain("If nobody did this, memory ran out.");
  });

  test.each([
    ["where nothing is counted", undefined],
    ["where the system has killed nothing", 0],
  ])("is said to have been killed, by somebody or for lack of memory, %s", (_, kills) => {
    expect(new MemoryExits(() => kills).explain(KILLED, "")).toBe(
      `It was killed (SIGKILL). If nobody did this, memory ran out. ${ADVICE}: everything together needs about 1 GB.`,
    );
  });

  test("is recognised behind a shell", () => {
    expect(new MemoryExits(() => 0).explain({ code: 137, signal: null }, "")).toContain(ADVICE);
  });
});

test("an exit that is not about memory is not explained by it", () => {
  const memory = new MemoryExits(() => 0);
  const log = "heap out of memory";
  expect(memory.explain({ code: 1, signal: null }, log)).toBeUndefined();
  expect(memory.explain({ code: null, signal: "SIGTERM" }, log)).toBeUndefined();
  expect(memory.explain({ code: null, signal: "SIGABRT" }, "assertion failed")).toBeUndefined();
});

test.each([
  [{ code: 3, signal: null }, "It ended with code 3."],
  [{ code: null, signal: "SIGTERM" }, "It was ended by SIGTERM."],
] as const)("describes %j", (exit, text) => expect(describeExit(exit)).toBe(text));

/** What the launcher says about a program that ends before everything is ready. */
async function failureOf(program: string, nodeFlags: string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "exits-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [main, log] = [join(folder, "program.mjs"), join(folder, "program.log")];
  await writeFile(main, program);
  await writeFile(log, "");
  const fleet = new Fleet(() => undefined);
  const failed = new Promise((resolve) => fleet.failed.addEventListener("abort", resolve));
  const launch = () => launchService({ main, environment: {}, log, nodeFlags });
  await fleet.add({ name: "analysis", logFile: log, launch });
  await failed;
  await fleet.stop();
  const text = (fleet.failed.reason as Error).message;
  expect(text).toContain(`Its log: ${log}`);
  return text;
}

test("a program that fills its heap is said to need more memory than it may use", async () => {
  const fill = "const kept = []; for (;;) kept.push(new Array(1e5).fill({}));";
  const text = await failureOf(fill, ["--max-old-space-size=16"]);
  expect(text).toMatch(/^analysis does not start:\nIt needed more memory than it may use\./);
  expect(text).not.toContain("native stack trace");
});

test("a program that is killed while it starts is said to have been killed", async () => {
  const text = await failureOf("process.kill(process.pid, 'SIGKILL');");
  expect(text).toMatch(
    /^analysis does not start:\n(It was killed \(SIGKILL\)|The system killed it)/,
  );
});

test("a program that ends without a word is described by its code", async () => {
  const text = await failureOf("process.exitCode = 7;");
  expect(text).toMatch(/^analysis does not start:\nIt ended with code 7\./);
});
