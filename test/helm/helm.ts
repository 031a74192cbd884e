import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { parseAllDocuments } from "yaml";

import { programPath } from "../cluster/programs.ts";

export const CHART = join(import.meta.dirname, "../../helm/nutrition-journal");
const BUILT = programPath("helm");
export const HELM = process.env["HELM"] ?? (existsSync(BUILT) ? BUILT : "helm");
/** A helm built from its module assumes a Kubernetes version of 2020. */
export const KUBERNETES = "1.36.3";

/** A Kubernetes object, with the fields that tests read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
  readonly spec?: Fields;
  readonly data?: Record<string, string>;
  readonly rules?: readonly Fields[];
  readonly automountServiceAccountToken?: boolean;
}
export interface Fields {
  readonly [name: string]: unknown;
}

/**
 * Whether to skip tests that need helm, because it is not installed; prints a warning. In CI, they
 * fail instead.
 */
export function isWithoutHelm(): boolean {
  if (process.env["CI"] === "true" || spawnSync(HELM, ["version"]).status === 0) return false;
  console.warn(
    "\n*** helm is not installed: the tests of the chart are SKIPPED. ***\n" +
      "*** Build it with: node test/cluster/programs.ts helm           ***\n",
  );
  return true;
}

export interface HelmRun {
  readonly succeeded: boolean;
  readonly output: string;
}

export function helm(...args: readonly string[]): HelmRun {
  const { status, stdout, stderr, error } = spawnSync(HELM, args, { encoding: "utf8" });
  if (error) throw new Error(`helm cannot be run: ${error.message}`);
  return { succeeded: status === 0, output: status === 0 ? stdout : stderr };
}

/** Runs `helm template` with a values file of the chart's `ci` folder. */
export function template(valuesFile: string, ...settings: readonly string[]): HelmRun {
  const values = ["-f", join(CHART, "ci", valuesFile)];
  const target = ["--namespace", "journal", "--kube-version", KUBERNETES];
  return helm("template", "release", CHART, ...target, ...values, ...settings);
}

/** The objects of the chart. */
export function render(valuesFile: string, ...settings: readonly string[]): Manifest[] {
  const { succeeded, output } = template(valuesFile, ...settings);
  if (!succeeded) throw new Error(output);
  return parseAllDocuments(output)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}
