import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of Node's compile cache, which also holds code without its types (docs/decisions/0053). */
export const COMPILE_CACHE = join(
  fileURLToPath(new URL("../..", import.meta.url)),
  "node_modules/.cache/compiled",
);
