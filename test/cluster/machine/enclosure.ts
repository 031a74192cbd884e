import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const TRIES_MAX = 50;
const PAUSE_MS = 200;
const CONTROL_GROUPS = "/sys/fs/cgroup";
/** Runs first in the namespaces, so that nothing on the machine is modified. */
const PREPARE = [
  ...["/run", "/var/log"].map((folder) => `mount -t tmpfs tmpfs ${folder}`),
  // Nodes propagate mounts to their pods, but not out of the enclosure.
  "mount --make-rshared /",
];

/**
 * Runs a script in separate namespaces for processes, mounts and network. When the script ends, or
 * it or this process is killed, everything that it started, mounted or linked is gone. Returns its
 * exit code.
 */
export async function runEnclosed(script: string, args: readonly string[]): Promise<number> {
  const namespaces = ["--net", "--mount", "--propagation=private", "--pid", "--mount-proc"];
  const command = [process.execPath, script, ...args].map(quote).join(" ");
  const child = spawn(
    "setpriv",
    [
      ...["--pdeathsig", "KILL", "unshare", ...namespaces, "--fork", "--kill-child"],
      // The shell is the first process in the namespace and adopts orphans.
      ...["sh", "-c", [...PREPARE, `{ ${command}; }`].join(" && ") + "; exit $?"],
    ],
    { stdio: "inherit", detached: true },
  );
  const end = () => child.kill("SIGKILL");
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, end);
  const [code] = (await once(child, "close")) as [number | null];
  for (const signal of signals) process.off(signal, end);
  return code ?? 1;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Copies the logs of a run to a folder that is kept until the next run. */
export function keepLogs(folder: string, place: string): void {
  rmSync(place, { recursive: true, force: true });
  const isWanted = (path: string) => statSync(path).isDirectory() || path.endsWith(".log");
  for (const part of readdirSync(folder)) {
    for (const name of readdirSync(join(folder, part))) {
      const path = join(folder, part, name);
      const isLog = name.endsWith(".log") || name === "pod-logs";
      if (isLog) cpSync(path, join(place, part, name), { recursive: true, filter: isWanted });
    }
  }
}

/** Control groups of containerd's containers: they outlive the namespaces. */
export function containerGroups(): string[] {
  const controllers = existsSync(CONTROL_GROUPS) ? readdirSync(CONTROL_GROUPS) : [];
  const parents = [".", ...controllers].map((name) => join(CONTROL_GROUPS, name, "k8s.io"));
  return parents.filter(existsSync).flatMap((parent) => {
    const entries = readdirSync(parent, { withFileTypes: true });
    const groups = entries.filter((entry) => entry.isDirectory());
    return [...groups.map(({ name }) => join(parent, name)), parent];
  });
}

/** Removes what outlives the namespaces: the folder and new control groups. */
export async function removeRemains(folder: string, groups: readonly string[]): Promise<void> {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  for (const group of containerGroups().filter((name) => !groups.includes(name))) {
    for (let tries = 1; existsSync(group); tries += 1) {
      try {
        rmdirSync(group);
      } catch (error) {
        // Killed processes take a moment to leave their control group.
        if (tries === TRIES_MAX) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }
}
