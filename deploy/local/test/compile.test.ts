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
/** On exit, prints which of Node's large modules were loaded: to strip types, and for fetch and WebSocket. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => {
    const isLoaded = (name) => process.moduleLoadList.some((one) => one.includes("/" + name + "/"));
    console.log("loaded: " + JSON.stringify(["amaro", "undici"].filter(isLoaded)));
  });`)}`;

let cache: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), "nutrition-compiled-"));
  await run(process.execPath, [join(ROOT, "deploy/compile.mjs")], {
    env: { NODE_COMPILE_CACHE: cache },
  });
});
afterAll(() => rm(cache, { recursive: true }));

/** The large modules that a program loads before it exits, because its configuration is invalid. */
async function loadedBy(program: string, environment: NodeJS.ProcessEnv): Promise<string[]> {
  const args = [`--import=${PROBE}`, join(ROOT, program)];
  const ended = await run(process.execPath, args, { env: { PORT: "none", ...environment } }).catch(
    (failed: { stdout: string }) => failed,
  );
  const loaded = /^loaded: (.*)$/m.exec(ended.stdout)?.[1];
  return JSON.parse(loaded ?? "") as string[];
}

const PROGRAMS = [
  ...globSync("services/*/src/main.ts", { cwd: ROOT }).sort(),
  "deploy/local/src/main.ts",
  "deploy/local/src/log-writer.ts",
  "deploy/observe/src/main.ts",
];
/** What programs load only where it is used; compiled beforehand like them. */
const LOADED_LATER = [
  "services/analysis/src/model/model-provider.ts",
  "services/shared/telemetry/src/otlp/export.ts",
  "services/web/src/mails/smtp-mailer.ts",
];
// The gateway's proxy imports node:http.
const GATEWAY = "services/gateway/src/main.ts";

it.each([...PROGRAMS, ...LOADED_LATER])(
  "with the compile cache, %s strips no types",
  async (program) => {
    expect(await loadedBy(program, { NODE_COMPILE_CACHE: cache })).not.toContain("amaro");
  },
);

it.each(PROGRAMS.filter((program) => program !== GATEWAY))(
  "%s does not load undici before it fetches something",
  async (program) => {
    expect(await loadedBy(program, { NODE_COMPILE_CACHE: cache })).not.toContain("undici");
  },
);

it("the main thread of analysis loads nothing that only its reader's thread needs", async () => {
  const noted = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => (console.log("file: " + url), next(url, context)) });`)}`;
  const args = [`--import=${noted}`, join(ROOT, "services/analysis/src/main.ts")];
  const { stdout } = await run(process.execPath, args, { env: { RPC_PORT: "none" } }).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toContain("/analysis/src/reader/thread-reader.ts");
  expect(stdout).not.toContain("/analysis/src/domain/");
});

it("without the compile cache, a program strips types", async () => {
  expect(await loadedBy("services/auth/src/main.ts", {})).toEqual(["amaro"]);
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
