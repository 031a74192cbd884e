import { globSync } from "node:fs";
import { basename, join } from "node:path";

import { CONTEXT } from "./dockerfile.ts";

/** Every service with a program has an image; shared code and the sources of the cards have none. */
export const IMAGES: readonly string[] = globSync("services/*/src/main.ts", { cwd: CONTEXT })
  .map((program) => basename(join(program, "../..")))
  .sort();
