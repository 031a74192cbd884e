import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, it } from "vitest";

import { COMPILE_CACHE } from "../compile-cache.mjs";
import { ROOT } from "../src/config.ts";
import { launchService } from "../src/service-process.ts";

const run = promisify(execFile);
/** On exit, prints the modules that Node loaded to strip types. */
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

/** The output of a program that loads all its modules and exits, because its configuration is invalid. */
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

it.each(PROGRAMS)("with the compile cache, %s strips no types", async (program) => {
  expect(await outputOf(program, { NODE_COMPILE_CACHE: cache })).toContain("loaded: []");
});

it("without the compile cache, a program strips types", async () => {
  const [program = ""] = PROGRAMS;
  expect(await outputOf(program, {})).toContain("loaded: [NativeModule internal/deps/amaro");
});

it("the launcher starts services with the compile cache and two arenas of malloc", async () => {
  const main = join(cache, "service.mjs");
  await writeFile(
    main,
    `import { getCompileCacheDir } from "node:module";
     console.log(JSON.stringify([getCompileCacheDir(), process.env.MALLOC_ARENA_MAX]));`,
  );
  const log = join(cache, "service.log");
  const service = await launchService({ main, environment: {}, log });
  await service.exited;
  const [folder, arenas] = JSON.parse(await readFile(log, "utf8")) as [string, string];
  expect(folder.startsWith(COMPILE_CACHE)).toBe(true);
  expect(arenas).toBe("2");
});
