import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { describe, expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "example-service.ts");
const GOOD = { EXAMPLE_PORT: "4700", EXAMPLE_SECRET: "hunter2" };

interface Run {
  child: ChildProcess;
  /** Resolves when the service is ready. */
  ready: Promise<void>;
  /** The exit code and everything that was logged. */
  ended: Promise<{ code: number | null; log: string }>;
}

function run(env: NodeJS.ProcessEnv, ...args: string[]): Run {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let log = "";
  const ready = Promise.withResolvers<void>();
  const stdout = child.stdout as Readable;
  for (const stream of [stdout, child.stderr as Readable]) {
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('"ready"')) ready.resolve();
    });
  }
  const ended = Promise.all([once(child, "exit"), once(stdout, "end")]).then(() => ({
    code: child.exitCode,
    log,
  }));
  return { child, ready: ready.promise, ended };
}

describe("a service", () => {
  it("stops cleanly when it is told to", async () => {
    const { child, ready, ended } = run(GOOD);
    await ready;
    child.kill("SIGTERM");
    const { code, log } = await ended;
    expect(code).toBe(0);
    expect(log).toContain('"cause":"SIGTERM"');
  });

  it("stops when the process that started it is gone", async () => {
    const { child, ready, ended } = run(GOOD);
    await ready;
    child.disconnect();
    expect((await ended).code).toBe(0);
  });

  it("names every bad variable at once, shows no value, and opens nothing", async () => {
    const { ended } = run({ EXAMPLE_PORT: "hunter2" });
    const { code, log } = await ended;
    expect(code).toBe(1);
    expect(log).toContain("EXAMPLE_PORT");
    expect(log).toContain("EXAMPLE_SECRET");
    expect(log).not.toContain("hunter2");
    expect(log).not.toContain('"ready"');
  });

  it("only checks its configuration when asked to", async () => {
    const { code, log } = await run(GOOD, "--check-config").ended;
    expect(code).toBe(0);
    expect(log).toContain("valid");
    expect(log).not.toContain('"ready"');
    expect((await run({}, "--check-config").ended).code).toBe(1);
  });

  it("says why it could not start", async () => {
    const { code, log } = await run({ ...GOOD, EXAMPLE_PORT: "1" }).ended;
    expect(code).toBe(1);
    expect(log).toContain("port 1 is not for everybody");
  });
});
