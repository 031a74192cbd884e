import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { HELM, KUBERNETES } from "../helm/helm.ts";
import { TILTFILE } from "./tiltfile.ts";

/** The kubeconfig of a ctlptl cluster that does not exist. */
const KUBECONFIG = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "kind-nutrition-journal",
  contexts: [
    { name: "kind-nutrition-journal", context: { cluster: "kind-nutrition-journal", user: "dev" } },
  ],
  clusters: [{ name: "kind-nutrition-journal", cluster: { server: "https://127.0.0.1:1" } }],
  users: [{ name: "dev", user: {} }],
});
/** A helm built from its module assumes a Kubernetes version of 2020. */
const WRAPPER = `#!/bin/sh
[ "$1" = template ] && set -- "$@" --kube-version ${KUBERNETES}
exec '${HELM}' "$@"
`;

/** A resource as interpreted by Tilt. */
export interface TiltManifest {
  readonly Name: string;
  readonly ResourceDependencies: readonly string[] | null;
}

/** Whether Tilt is missing; prints a warning if it is. */
export function isWithoutTilt(): boolean {
  if (spawnSync("tilt", ["version"]).status === 0) return false;
  console.warn("\n*** tilt is not installed: its own reading of the Tiltfile is SKIPPED. ***\n");
  return true;
}

/** Makes Tilt interpret the Tiltfile. Needs no cluster and deploys nothing. */
export async function runTilt(): Promise<{ resources: TiltManifest[]; problem: string }> {
  const folder = await mkdtemp(join(tmpdir(), "nutrition-tilt-"));
  try {
    await writeFile(join(folder, "kubeconfig"), KUBECONFIG);
    await writeFile(join(folder, "helm"), WRAPPER);
    await chmod(join(folder, "helm"), 0o755);
    const env = {
      PATH: [folder, process.env["PATH"]].join(delimiter),
      HOME: folder,
      KUBECONFIG: join(folder, "kubeconfig"),
      DO_NOT_TRACK: "1",
      TILT_DISABLE_ANALYTICS: "1",
    };
    const args = ["alpha", "tiltfile-result", "--file", TILTFILE];
    const options = { env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
    const { status, stdout, stderr } = spawnSync("tilt", args, options);
    if (status !== 0) return { resources: [], problem: stderr };
    const { Manifests } = JSON.parse(stdout) as { Manifests: TiltManifest[] };
    return { resources: Manifests, problem: "" };
  } finally {
    await rm(folder, { recursive: true });
  }
}
