import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

// Builds missing programs of a Kubernetes cluster from their Go modules:
//   node test/cluster/programs.ts helm kubelet

/** Cache between runs, outside of the work tree. */
export const CACHE = join(
  process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"),
  "nutrition-journal/cluster",
);

const SOURCES = join(import.meta.dirname, "programs");
const KUBERNETES = "kubernetes";
const HELM = { module: "helm.sh/helm/v3/cmd/helm", version: "v3.22.0" };

/** The programs of a complete cluster. */
export const PROGRAMS = [
  "helm",
  "etcd",
  "coredns",
  "pause",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kube-proxy",
  "kubelet",
] as const;
export type Program = (typeof PROGRAMS)[number];

/** Path of a built program, which includes its version. */
export function programPath(name: Program): string {
  return join(CACHE, "bin", `${name}-${versionOf(name)}`);
}

function versionOf(name: Program): string {
  if (name === "helm") return HELM.version;
  const folder = sourceOf(name);
  const files = [moduleFile(name), ...readdirSync(folder).map((file) => join(folder, file))];
  const hash = createHash("sha256");
  for (const file of [...new Set(files)].sort()) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 12);
}

function sourceOf(name: Program): string {
  const sourceFolder = join(SOURCES, name);
  return existsSync(sourceFolder) ? sourceFolder : join(SOURCES, KUBERNETES, name);
}

function moduleFile(name: Program): string {
  const sourceFolder = join(sourceOf(name), "go.mod");
  return existsSync(sourceFolder) ? sourceFolder : join(dirname(sourceOf(name)), "go.mod");
}

export function isBuilt(name: Program): boolean {
  return existsSync(programPath(name));
}

/** Builds a program unless it exists. Throws when `go` fails; `go` prints why. */
export function build(name: Program): void {
  const path = programPath(name);
  if (isBuilt(name)) return;
  mkdirSync(dirname(path), { recursive: true });
  console.log(`Building ${name}; with Kubernetes' own programs this takes minutes each.`);
  if (name === "helm") install(path);
  else go(["build", "-trimpath", "-ldflags", linkerFlags(), "-o", path, "."], sourceOf(name));
}

function install(path: string): void {
  const folder = dirname(path);
  go(["install", `${HELM.module}@${HELM.version}`], folder, { GOBIN: folder });
  renameSync(join(folder, basename(HELM.module)), path);
}

/** Without these, Kubernetes programs report no version, which clients refuse. */
function linkerFlags(): string {
  const text = readFileSync(join(SOURCES, KUBERNETES, "go.mod"), "utf8");
  const [, version] = /k8s\.io\/kubernetes (v\S+)/.exec(text) ?? [];
  const variables = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
  return ["-s", "-w", ...variables.map((name) => `-X ${name}.gitVersion=${version}`)].join(" ");
}

function go(args: readonly string[], cwd: string, variables: NodeJS.ProcessEnv = {}): void {
  const env = { ...process.env, CGO_ENABLED: "0", ...variables };
  const { status, error } = spawnSync("go", args, { cwd, env, stdio: "inherit" });
  if (error) throw new Error(`Go cannot be run: ${error.message}. Install it (golang-go).`);
  if (status !== 0) throw new Error(`${cwd} could not be built.`);
}

if (import.meta.main) {
  try {
    for (const name of process.argv.slice(2)) {
      const match = PROGRAMS.find((program) => program === name);
      if (!match) throw new Error(`There is no program ${name}. There are ${PROGRAMS.join(", ")}.`);
      build(match);
    }
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
