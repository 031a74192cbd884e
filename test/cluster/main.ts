import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { step } from "./checks/steps.ts";
import { archiveImages } from "./images/images.ts";
import { fetchDefinitions } from "./kube/custom-resources.ts";
import { attempt } from "./command.ts";
import { containerGroups, keepLogs, removeRemains, runEnclosed } from "./machine/enclosure.ts";
import { build, CACHE, isBuilt, PROGRAMS } from "./programs.ts";

// Shows on a real cluster, started on this machine, that the chart installs, upgrades, rolls back,
// scales, loses pods and a node, and uninstalls without a failed request or a lost write: npm run
// cluster-test. With `--within MINUTES`, it is skipped if that may not suffice.

/** Time that it takes at most on two cores, in minutes: with its programs in the cache, and without. */
const MINUTES = { warm: 25, cold: 40 };
/** Exit code of a run that was skipped. */
const SKIPPED = 75;

/** Programs from Debian, by package. */
const TOOLS: Readonly<Record<string, string>> = {
  buildah: "buildah",
  containerd: "containerd",
  ctr: "containerd",
  debootstrap: "debootstrap",
  ip: "iproute2",
  iptables: "iptables",
  runc: "runc",
  "/usr/lib/cni/bridge": "containernetworking-plugins",
};

const LOGS = join(CACHE, "logs");

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { within: { type: "string" } } });
  const needed = PROGRAMS.every(isBuilt) ? MINUTES.warm : MINUTES.cold;
  if (values.within !== undefined && Number(values.within) < needed) {
    console.log(`Not run: the cluster test takes up to ${needed} minutes here.`);
    return SKIPPED;
  }
  await checkMachine();
  mkdirSync(CACHE, { recursive: true });
  for (const program of PROGRAMS) await step(`program ${program}`, () => build(program));
  const definitions = await step("definitions of third-party objects", fetchDefinitions);
  const images = await archiveImages();
  const folder = mkdtempSync(join(CACHE, "run-"));
  const groups = containerGroups();
  try {
    const script = join(import.meta.dirname, "enclosed.ts");
    const code = await runEnclosed(script, [folder, images, definitions.join()]);
    if (code !== 0) console.log(`The logs of nodes and pods are in ${LOGS}.`);
    return code;
  } finally {
    keepLogs(folder, LOGS);
    await removeRemains(folder, groups);
  }
}

async function checkMachine(): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new Error("A cluster needs root: run this as root.");
  }
  const missing = new Set<string>();
  for (const [tool, packageName] of Object.entries(TOOLS)) {
    const { code } = await attempt("sh", ["-c", `command -v ${tool}`]);
    if (code !== 0) missing.add(packageName);
  }
  if (missing.size === 0) return;
  throw new Error(`These packages are missing: apt-get install ${[...missing].join(" ")}`);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
