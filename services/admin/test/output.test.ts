import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { Operator } from "./operator.ts";

const MAIN = join(import.meta.dirname, "../src/main.ts");

let operator: Operator;
beforeAll(async () => {
  operator = await Operator.start();
});
afterAll(() => operator[Symbol.asyncDispose]());

/** Runs a command in a separate process that writes to a file or to a closed pipe. */
async function run(args: string[], output: number | "closed") {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: operator.services.environment,
    stdio: ["ignore", output === "closed" ? "pipe" : output, "pipe"],
  });
  child.stdout?.destroy();
  let stderr = "";
  child.stderr?.on("data", (text: Buffer) => (stderr += text.toString()));
  const [exitCode] = await once(child, "close");
  return { stderr, exitCode };
}

test.each(["accounts", "journal"])(
  "a reader that closes the pipe after %s ends the command quietly",
  async (subject) => {
    const { id } = await operator.createAccount();
    const args = {
      accounts: ["accounts", "list"],
      journal: ["journal", "export", "--account", id, "--format", "json"],
    }[subject]!;
    expect(await run(args, "closed")).toEqual({ stderr: "", exitCode: 0 });
  },
);

test.runIf(process.platform === "linux")("reports a full disk", async () => {
  await using full = await open("/dev/full", "w");
  expect(await run(["accounts", "list"], full.fd)).toEqual({
    stderr: "admin: The output cannot be written (ENOSPC).\n",
    exitCode: 1,
  });
});
