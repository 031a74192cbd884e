// Fills Node's compile cache, in the folder NODE_COMPILE_CACHE, with all programs: stripped of their types
// and compiled (docs/decisions/0053).
import { globSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The program of each process, and modules that one imports only while it runs. */
const ENTRIES = [
  "{services,deploy}/*/src/main.ts",
  "deploy/local/src/log-writer.ts",
  "services/shared/telemetry/src/otlp/export.ts",
  "services/analysis/src/{model/model-provider,operations/improve-lines,operations/import-foods}.ts",
  "services/analysis/src/reader/reader-thread.ts",
  "services/web/src/mails/smtp-mailer.ts",
];
/** Evaluated first: its exception keeps all other modules from running. */
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
