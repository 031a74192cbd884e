import { runCommandLine } from "./command-line.ts";
import { readConfig } from "./config.ts";
import { Services } from "./services.ts";

const EXIT_OUTPUT_LOST = 1;

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // A reader such as head that closes the pipe early is not an error.
  if (code === "EPIPE") process.exit();
  process.stderr.write(`admin: The output cannot be written (${code}).\n`);
  process.exit(EXIT_OUTPUT_LOST);
});
// An import continues even when nobody reads its messages.
process.stderr.on("error", () => {});

/** Never resolves after a failure, which ends the process. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
    });
  });
}

using services = new Services(() => readConfig(process.env));
const { stdout, stderr, exitCode } = await runCommandLine(process.argv.slice(2), services, print);
process.exitCode = exitCode;
process.stdout.write(stdout);
process.stderr.write(stderr);
