import type { Logger } from "@nutrition/core/logger";
import type { DestinationStream } from "pino";
import { pino } from "pino";
import { z } from "zod";

import { LogLevels, logLevels } from "./log-levels.ts";
import { readLogRecord, textOf } from "./log-text.ts";
import { loggedError } from "./logged-error.ts";

export { silentLogger } from "@nutrition/core/logger";
export type { Logger } from "@nutrition/core/logger";

/** Log settings; every process reads them. */
export const loggingEnvironment = z.object({
  /** Log levels, in general and of services and their parts: `info,journal.outbox=debug`. */
  LOG_LEVEL: logLevels.default(new LogLevels()),
  /**
   * `text` is for people and the default on a terminal; `json`, for programs, is the default
   * elsewhere.
   */
  LOG_FORMAT: z.enum(["json", "text"], { error: "must be json or text" }).optional(),
});

/**
 * The log of a service as configured, on standard output: one JSON object or one line of text per
 * record. Invalid settings count as absent here; reading the configuration reports them.
 */
export function createLogger(service: string, environment: NodeJS.ProcessEnv): Logger {
  const settings = loggingEnvironment.safeParse(withoutEmpty(environment)).data;
  const levels = settings?.LOG_LEVEL ?? new LogLevels();
  const options = {
    level: levels.of(service),
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: loggedError },
  };
  const log = pino(options, logsText(environment) ? textOutput(environment) : jsonOutput());
  return Object.assign(log, {
    of: (module: string) => log.child({ module }, { level: levels.of(service, module) }),
  });
}

/** Whether the log is text for people, as configured. */
export function logsText(environment: NodeJS.ProcessEnv): boolean {
  const format = loggingEnvironment.safeParse(withoutEmpty(environment)).data?.LOG_FORMAT;
  return (format ?? (process.stdout.isTTY ? "text" : "json")) === "text";
}

/**
 * Buffered for up to a second: a write per line took 15 % of the gateway's time. The buffer is
 * flushed when the process exits normally.
 */
function jsonOutput(): DestinationStream {
  return pino.destination({
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
  });
}

function textOutput(environment: NodeJS.ProcessEnv): DestinationStream {
  const hasColours = process.stdout.isTTY && process.stdout.hasColors(environment);
  return {
    write(line) {
      const record = readLogRecord(line);
      process.stdout.write(record ? `${textOf(record, { hasColours })}\n` : line);
    },
  };
}

function withoutEmpty({ LOG_LEVEL, LOG_FORMAT }: NodeJS.ProcessEnv) {
  return { LOG_LEVEL: LOG_LEVEL || undefined, LOG_FORMAT: LOG_FORMAT || undefined };
}

const BUFFER_BYTES = 4_096;
const FLUSH_INTERVAL_MS = 1_000;
