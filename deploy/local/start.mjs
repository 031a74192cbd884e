// Starts the launcher. Plain JavaScript: what strips types would stay in memory (docs/decisions/0053).
import { enableCompileCache } from "node:module";

import { COMPILE_CACHE } from "./compile-cache.mjs";

enableCompileCache(COMPILE_CACHE);
await import("./src/main.ts");
