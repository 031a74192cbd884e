// Strips the types of all programs and compiles them, into the folder NODE_COMPILE_CACHE. Plain
// JavaScript, so that Node strips only what is asked for (docs/decisions/0053).
import { globSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Of each process, and what is only imported while it runs. */
const ENTRIES = [
  "{services,deploy}/*/src/main.ts",
  "deploy/local/src/log-writer.ts",
  "services/shared/telemetry/src/otlp/export.ts",
];
/** Is evaluated first, and keeps the others from being evaluated by its failure. */
const STOP = "data:text/javascript,throw 'stopped'";

enableCompileCache();
const files = globSync(ENTRIES, { cwd: ROOT });
const urls = [STOP, ...files.map((file) => pathToFileURL(`${ROOT}/${file}`).href)];
const source = urls.map((url) => `import ${JSON.stringify(url)};`).join("\n");
try {
  await import(`data:text/javascript,${encodeURIComponent(source)}`);
} catch (error) {
  if (error !== "stopped") throw error;
}
flushCompileCache();
