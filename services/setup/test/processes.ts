import { spawn } from "node:child_process";
import { join } from "node:path";

const SERVICES = join(import.meta.dirname, "../..");

export interface Process {
  /** Resolves once the log matches, with the match's first group. */
  logged(pattern: RegExp): Promise<string>;
  /** The exit code and the whole log. */
  readonly ended: Promise<{ code: number | null; log: string }>;
  stop(): void;
}

/** Runs a service's main file with exactly this environment. */
export function runMain(service: string, env: NodeJS.ProcessEnv, ...args: string[]): Process {
  const child = spawn(process.execPath, [join(SERVICES, service, "src/main.ts"), ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      for (const look of waiting) look();
    });
  }
  const { promise: ended, resolve } = Promise.withResolvers<{ code: number | null; log: string }>();
  child.once("close", (code) => resolve({ code, log }));
  return {
    ended,
    stop: () => void child.kill("SIGTERM"),
    logged: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const match = pattern.exec(log);
          if (match) resolve(match[1] ?? match[0]);
        };
        waiting.add(look);
        look();
      }),
  };
}
