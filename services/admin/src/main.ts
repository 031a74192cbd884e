import { runCommandLine } from "./command-line.ts";
import { readConfig } from "./config.ts";
import { Services } from "./services.ts";

using services = new Services(() => readConfig(process.env));
const { stdout, stderr, exitCode } = await runCommandLine(process.argv.slice(2), services);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
