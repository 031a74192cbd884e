import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of code with its types stripped, and compiled (docs/decisions/0053). */
export const COMPILE_CACHE = join(
  fileURLToPath(new URL("../..", import.meta.url)),
  "node_modules/.cache/compiled",
);
