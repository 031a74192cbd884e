import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { System } from "../e2e/system.ts";
import { recordSession } from "./session.ts";
import { renderSession } from "./terminal.ts";

// npm run record: starts the system, makes the calls of the recording, and writes docs/recording.svg.
// Needs bash, curl and jq.

await using system = await System.start();
const steps = await recordSession(system);
await writeFile(join(import.meta.dirname, "../../docs/recording.svg"), renderSession(steps));
