import { join } from "node:path";

/** A file of reference data that may be beside the repository; tests that need it are skipped without it. */
export function sharedData(name: string): string {
  return join(import.meta.dirname, "../../../../shared/data", name);
}
