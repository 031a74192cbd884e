import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { boundsAfter } from "../src/watchdog.ts";

const PROGRAM = fileURLToPath(new URL("./blocked-process.ts", import.meta.url));

/** Exit code or signal, and output, of the process. */
async function run(environment: NodeJS.ProcessEnv, ...flags: string[]) {
  const child = spawn(process.execPath, [...flags, PROGRAM], {
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [[code, signal], output] = await Promise.all([once(child, "exit"), text(child.stdout)]);
  return { ended: (signal ?? code) as string | number, output };
}

/** Far more CPU time than the watchdog allows, but bounded. */
const BLOCKED = { BLOCKS: "cpu", CPU_MS: "20000" };

describe("a process whose event loop is blocked", () => {
  it("ends, and its log names it and what was under way, and nothing else", async () => {
    const { ended, output } = await run(BLOCKED);
    expect(ended).toBe("SIGKILL");
    expect(JSON.parse(output)).toEqual({
      level: 50,
      time: expect.any(String),
      service: "example",
      pid: expect.any(Number),
      cpu_ms: 300,
      operations: ["example.v1.Example/Read (1)"],
      latest: "example.v1.Example/Read",
      msg: "the process is blocked and ends; it must be started again",
    });
  });

  it("says so in text, too", async () => {
    const { output } = await run({ ...BLOCKED, IS_TEXT: "true" });
    expect(output).toMatch(/example {2}error the process is blocked and ends/);
    expect(output).toContain("example.v1.Example/Read");
  });

  it("ends though nobody reads its log", async () => {
    const child = spawn(process.execPath, [PROGRAM], {
      env: BLOCKED,
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.stdout.destroy();
    const [, signal] = await once(child, "exit");
    expect(signal).toBe("SIGKILL");
  });

  it("does not end before its time", async () => {
    const { ended, output } = await run({ BLOCKS: "cpu", CPU_MS: "1500", GRACE_MS: "600000" });
    expect({ ended, output }).toEqual({ ended: 7, output: "" });
  });

  it("does not end while a debugger may be attached", async () => {
    const blocked = { BLOCKS: "cpu", CPU_MS: "1500" };
    expect((await run(blocked, "--inspect=127.0.0.1:0")).ended).toBe(7);
  });
});

describe("a process goes on", () => {
  it("if it stands still without using CPU time, as while a computer sleeps", async () => {
    expect(await run({ BLOCKS: "wait" })).toEqual({ ended: 7, output: "" });
  });

  it("if it works for long, but in short turns", async () => {
    expect(await run({ BLOCKS: "turns" })).toEqual({ ended: 7, output: "" });
  });
});

it("is ended at most every 30 seconds, and more rarely each time", () => {
  const graces = [0, 1, 2, 3, 4, 5, 6, 100].map((ends) => boundsAfter(ends).graceMs / 1_000);
  expect(graces).toEqual([30, 60, 120, 240, 480, 960, 960, 960]);
  expect(boundsAfter(0).cpuMaxMs).toBe(5_000);
});
