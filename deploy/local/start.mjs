// Starts the launcher with the compile cache. Plain JavaScript, because Node would keep 12 MB in memory for
// stripping the types of this file (docs/decisions/0053).
import { enableCompileCache } from "node:module";

import { COMPILE_CACHE } from "./compile-cache.mjs";

enableCompileCache(COMPILE_CACHE);
await import("./src/main.ts");
