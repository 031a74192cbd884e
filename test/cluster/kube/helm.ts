import { join } from "node:path";

import { type KubeObject } from "./client.ts";
import { parseAllDocuments } from "yaml";

import { type Attempt, attempt } from "../command.ts";
import { programPath } from "../programs.ts";

export const CHART = join(import.meta.dirname, "../../../helm/nutrition-journal");

/** A release of the chart in a namespace. */
export class Release {
  readonly name: string;
  readonly namespace: string;
  readonly #kubeconfig: string;

  constructor(name: string, { namespace, kubeconfig }: { namespace: string; kubeconfig: string }) {
    this.name = name;
    this.namespace = namespace;
    this.#kubeconfig = kubeconfig;
  }

  /** Runs a helm command on the release; throws helm's message when it fails. */
  async helm(command: string, ...args: readonly string[]): Promise<string> {
    const { code, output, complaint } = await this.attempt(command, ...args);
    if (code === 0) return output;
    throw new Error(`helm ${command} failed: ${complaint}${output}`);
  }

  /** Like `helm`, for commands that may fail. */
  attempt(command: string, ...args: readonly string[]): Promise<Attempt> {
    const where = ["--namespace", this.namespace];
    const env = { KUBECONFIG: this.#kubeconfig };
    return attempt(programPath("helm"), [...command.split(" "), this.name, ...args, ...where], {
      env,
    });
  }

  /** Objects that `helm template` or `helm get` prints. */
  async objects(command: string, ...args: readonly string[]): Promise<KubeObject[]> {
    const documents = parseAllDocuments(await this.helm(command, ...args));
    return documents
      .map((document) => document.toJS() as KubeObject | null)
      .filter((one) => one !== null);
  }
}
