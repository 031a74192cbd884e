import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, it } from "vitest";

import { ROOT } from "../src/config.ts";

const run = promisify(execFile);
/** Prints what Node has loaded to strip types. */
const PROBE = `data:text/javascript,process.on("exit", () => console.log("loaded: %5B" +
  process.moduleLoadList.filter((name) => name.includes("amaro")) + "%5D"))`;

let cache: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), "nutrition-compiled-"));
  await run(process.execPath, [join(ROOT, "deploy/local/compile.mjs")], {
    env: { NODE_COMPILE_CACHE: cache },
  });
});
afterAll(() => rm(cache, { recursive: true }));

/** What a program prints that is run with the compiled code, and ends as it is not configured. */
async function outputOf(program: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const args = [`--import=${PROBE}`, join(ROOT, program)];
  const ended = await run(process.execPath, args, { env: { PORT: "none", ...environment } }).catch(
    (failed: { stdout: string }) => failed,
  );
  return ended.stdout;
}

const PROGRAMS = [
  ...globSync("services/*/src/main.ts", { cwd: ROOT }).sort(),
  "deploy/local/src/main.ts",
  "deploy/local/src/log-writer.ts",
  "deploy/observe/src/main.ts",
  // Loaded only where telemetry is exported.
  "services/shared/telemetry/src/otlp/export.ts",
];

it.each(PROGRAMS)("after an install, %s strips no types", async (program) => {
  expect(await outputOf(program, { NODE_COMPILE_CACHE: cache })).toContain("loaded: []");
});

it("without it, a program strips types", async () => {
  const [program = ""] = PROGRAMS;
  expect(await outputOf(program, {})).toContain("loaded: [NativeModule internal/deps/amaro");
});
