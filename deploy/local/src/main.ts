import { readConfig } from "./config.ts";
import { whenParentEnds } from "./parent.ts";
import { runLocal } from "./run-local.ts";

/**
 * npm forwards a Ctrl-C that the terminal has already sent to us: within this time, it is the same
 * one.
 */
const SAME_KEY_PRESS_MS = 400;
const EXIT_FORCED = 130;

const stop = new AbortController();
const kill = new AbortController();
let firstSignalMs: number | undefined;

function onSignal(): void {
  firstSignalMs ??= performance.now();
  stop.abort();
  if (performance.now() - firstSignalMs > SAME_KEY_PRESS_MS) {
    process.exitCode = EXIT_FORCED;
    kill.abort();
  }
}

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);
// npm passes no SIGKILL on. Started otherwise, as with nohup, the launcher may outlive what started it.
if (process.env["npm_lifecycle_event"] !== undefined) whenParentEnds(() => stop.abort());
// Whoever read the output may be gone as well; everything is stopped all the same.
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);

try {
  const config = readConfig(process.env, process.argv.slice(2));
  await runLocal(config, { say: console.log, stop: stop.signal, kill: kill.signal });
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
