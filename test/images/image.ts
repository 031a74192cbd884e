import { chmodSync, copyFileSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { CONTEXT, expand, readDockerfile } from "./dockerfile.ts";
import { StageFolder } from "./stage-folder.ts";

const NODE = "usr/local/bin/node";

/**
 * Builds the images of services as folders: executes deploy/Dockerfile with the programs of this
 * machine, so that it needs no container engine. Nothing outside of a folder is visible to Node's
 * search for packages.
 */
export class ImageFolders {
  readonly #folder: string;
  readonly #built = new Map<string, Promise<StageFolder>>();

  /** `folder` must be empty, and outside of any project of npm. */
  constructor(folder: string) {
    this.#folder = folder;
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "base"));
    // One copy: the account of the images may not be able to enter the work tree.
    copyFileSync(join(CONTEXT, "node_modules/node/bin/node"), join(folder, "base/node"));
  }

  /** The image of a service, built once. Rejects with the output of the command that fails. */
  of(service: string): Promise<StageFolder> {
    const existing = this.#built.get(service);
    if (existing) return existing;
    const built = this.#build(service);
    this.#built.set(service, built);
    return built;
  }

  async #build(service: string): Promise<StageFolder> {
    const { defaults, stages } = readDockerfile();
    // The same for all stages, because compiled code is found by its path.
    const root = join(this.#folder, service);
    const earlier = new Map<string, StageFolder>();
    let stage: StageFolder | undefined;
    for (const { base, name = "", steps } of stages) {
      if (stage) renameSync(root, (stage.root = `${root}-${earlier.size}`));
      mkdirSync(join(root, "usr/local/bin"), { recursive: true });
      // All that the stages use of the official image of Node besides npm's programs.
      if (expand(base, defaults).includes("/node:")) {
        symlinkSync(join(this.#folder, "base/node"), join(root, NODE));
      }
      stage = new StageFolder(root, { SERVICE: service }, earlier);
      for (const step of steps) await stage.execute(step);
      earlier.set(name, stage);
    }
    if (!stage) throw new Error("The Dockerfile has no stage.");
    return stage;
  }
}
