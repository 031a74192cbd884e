import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
/** Copied from the repository, not from an earlier stage. */
const COPY = /^COPY (?!--)(.+) \S+$/gm;

/**
 * Arguments with which Node lets a service of this repository read only the files of its image, and
 * `folders`. Read from deploy/Dockerfile.
 */
export function imageFilesOnly(service: string, ...folders: readonly string[]): string[] {
  const dockerfile = readFileSync(join(ROOT, "deploy/Dockerfile"), "utf8");
  const copied = [...dockerfile.matchAll(COPY)].flatMap(([, sources = ""]) => sources.split(" "));
  const paths = copied
    .map((source) => source.replace("${SERVICE}", service))
    .concat("node_modules", "proto/node_modules")
    .map((path) => join(ROOT, path));
  return ["--permission", ...[...paths, ...folders].map((path) => `--allow-fs-read=${path}`)];
}
