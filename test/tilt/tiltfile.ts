import { spawnSync } from "node:child_process";
import { join } from "node:path";

import type { Manifest } from "../helm/helm.ts";
import { HELM, isWithoutHelm, KUBERNETES } from "../helm/helm.ts";

const ROOT = join(import.meta.dirname, "../..");
export const TILTFILE = join(ROOT, "tilt/Tiltfile");

export interface Sync {
  readonly local_path: string;
  readonly remote_path: string;
}
export interface ImageBuild {
  readonly ref: string;
  readonly context: string;
  readonly dockerfile_contents: string;
  readonly build_args: { readonly SERVICE: string };
  readonly only: readonly string[];
  readonly entrypoint: readonly string[] | null;
  readonly live_update: readonly (Sync | { readonly files: readonly string[] })[];
}
export interface Resource {
  readonly workload: string;
  readonly new_name: string;
  readonly resource_deps: readonly string[];
  readonly port_forwards: readonly string[];
  readonly links: readonly { readonly url: string }[];
}
export interface Task {
  readonly name: string;
  readonly cmd: string;
  readonly resource_deps: readonly string[];
  readonly auto_init: boolean;
  readonly trigger_mode: string;
}
export interface Tiltfile {
  readonly images: readonly ImageBuild[];
  readonly manifests: readonly Manifest[];
  readonly resources: readonly Resource[];
  readonly tasks: readonly Task[];
}

/** Evaluates the Tiltfile and returns what it configures; undefined, with a warning, without Go or helm. */
export function readTiltfile(): Tiltfile | undefined {
  if (isWithoutHelm()) return undefined;
  const { error, status, stdout, stderr } = spawnSync("go", ["run", ".", HELM, TILTFILE], {
    cwd: join(import.meta.dirname, "reader"),
    env: { ...process.env, KUBE_VERSION: KUBERNETES },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error && process.env["CI"] !== "true") {
    console.warn("\n*** go is not installed: the tests of the Tiltfile are SKIPPED. ***\n");
    return undefined;
  }
  if (error || status !== 0) throw error ?? new Error(stderr);
  const calls = JSON.parse(stdout) as { function: string; arguments: unknown }[];
  const of = <Call>(name: string) =>
    calls.filter((call) => call.function === name).map((call) => call.arguments as Call);
  return {
    images: of<ImageBuild>("docker_build"),
    manifests: of<{ yaml: Manifest[] }>("k8s_yaml").flatMap(({ yaml }) => yaml),
    resources: of<Resource>("k8s_resource"),
    tasks: of<Task>("local_resource"),
  };
}
