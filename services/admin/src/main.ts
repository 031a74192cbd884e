import { runCommandLine } from "./command-line.ts";
import { readConfig } from "./config.ts";
import { Services } from "./services.ts";

// A reader that has seen enough, such as head, is no reason to crash: the failed write tells.
process.stdout.on("error", () => {});

function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

using services = new Services(() => readConfig(process.env));
const { stdout, stderr, exitCode } = await runCommandLine(process.argv.slice(2), services, print);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
