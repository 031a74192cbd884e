import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface ToolRun {
  exitCode: number;
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 40_000;
const OUTPUT_MAX_BYTES = 8_388_608;
const { resolve } = createRequire(import.meta.url);

/**
 * Runs a command of an installed package in `folder`, which is also its home directory, until it
 * exits.
 */
export function runTool(
  { packageName, command }: { packageName: string; command: string },
  args: readonly string[],
  folder: string,
): Promise<ToolRun> {
  const main = join(dirname(resolve(`${packageName}/package.json`)), command);
  const options = {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1" },
    timeout: TIMEOUT_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
  };
  return new Promise((done) => {
    execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      done({ exitCode, stdout, stderr });
    });
  });
}
