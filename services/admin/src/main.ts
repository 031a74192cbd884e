import { fileURLToPath } from "node:url";

import { runCommandLine } from "./command-line.ts";
import { readConfig } from "./config.ts";
import { Services } from "./services.ts";

/** Written by the local launcher while the services run. */
const RUN_FILE = fileURLToPath(new URL("../../../.data/run/admin.json", import.meta.url));

using services = new Services(() => readConfig(process.env, RUN_FILE));
const { stdout, stderr, exitCode } = await runCommandLine(process.argv.slice(2), services);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
