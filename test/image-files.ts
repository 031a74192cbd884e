import { join } from "node:path";

import { CONTEXT, copiedPaths } from "./images/dockerfile.ts";

/**
 * Arguments with which Node lets a service of this repository read only the files of its image, and
 * `folders`. Read from deploy/Dockerfile.
 */
export function imageFilesOnly(service: string, ...folders: readonly string[]): string[] {
  const paths = [...copiedPaths(service), "node_modules", "proto/node_modules"];
  const readable = [...paths.map((path) => join(CONTEXT, path)), ...folders];
  // The watchdog and the reader of food text are threads; the watchdog reads its process's CPU time.
  const threads = ["--allow-worker", "--allow-fs-read=/proc/self/task"];
  return ["--permission", ...threads, ...readable.map((path) => `--allow-fs-read=${path}`)];
}
