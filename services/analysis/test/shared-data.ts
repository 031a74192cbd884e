import { join } from "node:path";

/** A file of reference data that may lie beside the repository; tests that need it skip without. */
export function sharedData(name: string): string {
  return join(import.meta.dirname, "../../../../shared/data", name);
}
