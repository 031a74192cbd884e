// Strips the types of all code that runs, and compiles it, into the folder NODE_COMPILE_CACHE.
// Plain JavaScript, so that Node strips only what is asked for (docs/decisions/0053).
import { globSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = ["services/{*,shared/*}/src/**/*.ts", "deploy/*/src/**/*.ts", "proto/gen/**/*.ts"];
/** Tests, and what a bundler compiles for browsers. */
const OTHERS = ["**/*.test.ts", "services/cards/**"];
/** Is evaluated first, and so keeps all others from being evaluated. */
const STOP = "data:text/javascript,throw 'stopped'";

enableCompileCache();
const files = globSync(SOURCES, { cwd: ROOT, exclude: OTHERS });
const urls = [STOP, ...files.map((file) => pathToFileURL(`${ROOT}/${file}`).href)];
const source = urls.map((url) => `import ${JSON.stringify(url)};`).join("\n");
try {
  await import(`data:text/javascript,${encodeURIComponent(source)}`);
} catch (error) {
  if (error !== "stopped") throw error;
}
flushCompileCache();
