import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";

import { CHART, HELM, helm, isWithoutHelm, KUBERNETES } from "../helm/helm.ts";
import { IMAGES } from "../images/names.ts";

const WORKFLOW = join(import.meta.dirname, "../../.github/workflows/release.yaml");
const STEP = "The chart names the images of this release by digest";
const YQ = "github.com/mikefarah/yq/v4@v4.47.2";
const REGISTRY = "ghcr.io/someone";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nutrition-release-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** The shell script of the step, as the hosted runner executes it. */
function scriptOf(name: string): string {
  const { jobs } = parse(readFileSync(WORKFLOW, "utf8")) as {
    jobs: { chart: { steps: { name?: string; run?: string }[] } };
  };
  return jobs.chart.steps.find((step) => step.name === name)?.run ?? "";
}

it.skipIf(isWithoutHelm())(
  "the release packages a chart whose pods run exactly the images that it has pushed",
  () => {
    const [bin, digests] = [join(folder, "bin"), join(folder, "digests")];
    cpSync(CHART, join(folder, "helm/nutrition-journal"), { recursive: true });
    for (const path of [bin, digests]) mkdirSync(path);
    symlinkSync(execFileSync("which", [HELM], { encoding: "utf8" }).trim(), join(bin, "helm"));
    execFileSync("go", ["install", YQ], { env: { ...process.env, GOBIN: bin, GOFLAGS: "" } });
    const digestOf = (index: number) => `sha256:${String(index).padStart(64, "0")}`;
    for (const [index, name] of IMAGES.entries()) {
      writeFileSync(join(digests, name), `${digestOf(index)}\n`);
    }
    const PATH = `${bin}:${process.env["PATH"]}`;
    const env = { ...process.env, PATH, REGISTRY, VERSION: "1.2.3" };
    execFileSync("bash", ["-e", "-o", "pipefail", "-c", scriptOf(STEP)], { cwd: folder, env });

    const values = ["-f", join(CHART, "ci/trial.yaml"), "--kube-version", KUBERNETES];
    const packaged = join(folder, "nutrition-journal-1.2.3.tgz");
    const { output } = helm("template", "release", packaged, ...values);
    const used = [...output.matchAll(/image: "?(ghcr\.io\/\S+?)"?$/gm)].map(([, image]) => image);
    const pushed = IMAGES.map((name, index) => `${REGISTRY}/${name}@${digestOf(index)}`);
    expect([...new Set(used)].sort()).toEqual(pushed);
  },
  300_000,
);
