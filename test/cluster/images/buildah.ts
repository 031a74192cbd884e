import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { run } from "../command.ts";
import { CACHE } from "../programs.ts";

const STORAGE = join(CACHE, "storage");
/** Needs no daemon and no additional namespaces. */
const ENVIRONMENT = { STORAGE_DRIVER: "overlay", BUILDAH_ISOLATION: "chroot" };

/** Runs buildah on a separate store and returns its output. */
export async function buildah(...args: readonly string[]): Promise<string> {
  mkdirSync(STORAGE, { recursive: true });
  const places = ["--root", STORAGE, "--runroot", join(CACHE, "storage-run")];
  const output = await run("buildah", [...places, ...args], { env: ENVIRONMENT });
  return output.trim();
}

/**
 * Builds an image from another, or from nothing (`scratch`): `change` modifies a container of it.
 */
export async function makeImage(
  name: string,
  from: string,
  change: (container: string) => Promise<unknown>,
): Promise<void> {
  const container = await buildah("from", "--pull-never", from);
  try {
    await change(container);
    // With a fixed time, the same content gives the same image.
    await buildah("commit", "--quiet", "--timestamp=0", container, name);
  } finally {
    await buildah("rm", container);
  }
}

/** Ids of the images, which identify their content. */
export async function idsOf(names: readonly string[]): Promise<string[]> {
  const format = ["--type", "image", "--format", "{{.FromImageID}}"];
  return Promise.all(names.map((name) => buildah("inspect", ...format, name)));
}

export async function hasImage(name: string): Promise<boolean> {
  const lines = (await buildah("images", "--format", "{{.Name}}:{{.Tag}}")).split("\n");
  return lines.includes(name);
}
