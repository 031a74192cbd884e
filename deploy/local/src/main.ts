import { readConfig } from "./config.ts";
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

try {
  const config = readConfig(process.env, process.argv.slice(2));
  await runLocal(config, { say: console.log, stop: stop.signal, kill: kill.signal });
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
