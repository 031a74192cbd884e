import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

import { onFreePort, untilListening } from "@nutrition/local/ports";

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 10_000;
const WITHOUT_DISK = ["--save", "", "--appendonly", "no"];
const NOT_INSTALLED =
  "redis-server is not installed, and this needs it. On Debian: apt-get install redis-server";
// This process holds the other end of the server's standard input, so that Redis ends when this process is
// gone, even after SIGKILL. The shell becomes the server, so $$ is the id of both.
const GUARDED = `
exec 3<&0
( trap "" INT TERM HUP; read -r _ <&3; kill -KILL $$ 2>/dev/null ) >/dev/null 2>&1 &
exec redis-server "$@" </dev/null 3<&-`;

/** A real Redis on a loopback port, which tests may pause, kill and restart. */
export interface RunningRedis extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Id of its process. */
  readonly pid: number;
  /** If it has exited, restarts it empty on the same port. */
  start(): Promise<void>;
  /** Pauses it until `resume`: connections stay open and commands queue up. */
  pause(): void;
  resume(): void;
  /** Kills it. */
  kill(): Promise<void>;
}

/**
 * Whether to skip tests that need Redis, because redis-server is not installed; prints a warning.
 * In CI, they fail instead.
 */
export function isWithoutRedis(): boolean {
  if (process.env["CI"] === "true" || isInstalled()) return false;
  console.warn(
    "\n*** redis-server is not installed: the tests that need it are SKIPPED. ***\n" +
      "*** On Debian: apt-get install redis-server                          ***\n",
  );
  return true;
}

/** Throws a readable message if redis-server is not installed. */
export function requireRedis(): void {
  if (!isInstalled()) throw new Error(NOT_INSTALLED);
}

function isInstalled(): boolean {
  return spawnSync("redis-server", ["--version"]).status === 0;
}

/**
 * Starts redis-server, without persistence unless `flags` enable it. It ends with
 * this process. Throws a readable message if it is not installed.
 */
export async function startRedis(flags: readonly string[] = WITHOUT_DISK): Promise<RunningRedis> {
  requireRedis();
  const started = await onFreePort(async (port) => ({ port, redis: await launch(port, flags) }));
  const { port } = started;
  let { redis } = started;
  const signal = (name: NodeJS.Signals) => void redis.kill(name);
  const kill = async () => {
    if (hasEnded(redis)) return;
    const ended = once(redis, "exit");
    signal("SIGKILL");
    await ended;
  };
  return {
    url: `redis://${HOST}:${port}`,
    port,
    get pid() {
      return redis.pid ?? 0;
    },
    async start() {
      if (hasEnded(redis)) redis = await launch(port, flags);
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

async function launch(port: number, flags: readonly string[]): Promise<ChildProcess> {
  const place = ["--port", String(port), "--bind", HOST];
  const redis = spawn("/bin/sh", ["-c", GUARDED, "sh", ...place, ...flags], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  redis.once("exit", () => redis.stdin?.destroy());
  await Promise.race([
    untilListening(port, HOST, AbortSignal.timeout(START_TIMEOUT_MS)),
    endOf(redis),
  ]);
  return redis;
}

/** Rejects when it exits: another program may listen on its port. */
async function endOf(redis: ChildProcess): Promise<never> {
  await once(redis, "exit");
  throw new Error("redis-server exited during its start.");
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
