import { systemClock } from "@nutrition/core/clock";
import { createLogger } from "@nutrition/service/logger";

import { runCommand } from "./run-command.ts";

const logger = createLogger("setup", process.env);
try {
  await runCommand(process.argv.slice(2), process.env, { clock: systemClock, logger });
} catch (error) {
  process.exitCode = 1;
  logger.error({ err: error }, error instanceof Error ? error.message : "could not run");
}
