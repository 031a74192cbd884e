import { type ChildProcess, spawn } from "node:child_process";

import { type Exit, exitOf } from "./exits.ts";
import { type LogOutput, openLog } from "./log-outputs.ts";
import { LESS_MEMORY, signal } from "./processes.ts";
import type { Running } from "./supervisor.ts";

/** What a service's process runs. */
export interface Program {
  /** TypeScript file. */
  main: string;
  environment: Readonly<Record<string, string>>;
  /** Maximum size of a semi-space of V8's young generation, in MiB; 4 by default. */
  semiSpaceMiB?: number;
}

export interface ServiceProcessOptions extends Program {
  /** File that its output is appended to, or the writer that does so. */
  log: string | LogOutput;
  nodeFlags?: readonly string[];
}

export interface RunningProcess extends Running {
  readonly pid: number;
}

const STOP_TIMEOUT_MS = 12_000;

/**
 * Node.js sizes heaps for the whole machine, and collects garbage late when that is large. Several
 * services share this one (docs/performance.md).
 */
const OLD_SPACE_MIB = 512;
const SEMI_SPACE_MIB = 4;

/**
 * Runs a service as a separate process in a separate process group: the terminal's Ctrl-C is for
 * the launcher only. The service ends when the channel to the launcher breaks.
 */
export async function launchService(options: ServiceProcessOptions): Promise<RunningProcess> {
  await using log = await openLog(options.log);
  const flags = [
    `--max-old-space-size=${OLD_SPACE_MIB}`,
    `--max-semi-space-size=${options.semiSpaceMiB ?? SEMI_SPACE_MIB}`,
    ...(options.nodeFlags ?? []),
  ];
  const child = spawn(process.execPath, [...flags, options.main], {
    env: { ...LESS_MEMORY, ...options.environment },
    detached: true,
    stdio: ["ignore", log.stdio, log.stdio, "ipc"],
  });
  const exited = exitOf(child).finally(log.drained);
  return {
    pid: child.pid ?? 0,
    exited,
    stop: () => stop(child, exited),
    kill: () => killGroup(child),
  };
}

async function stop(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  child.kill("SIGTERM");
  const killTimer = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(killTimer);
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) signal(-pid, "SIGKILL");
}
