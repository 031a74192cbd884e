import type { Logger } from "@nutrition/core/logger";
import { pino } from "pino";

export { silentLogger } from "@nutrition/core/logger";
export type { Logger } from "@nutrition/core/logger";

export interface LoggerOptions {
  service: string;
  level: "debug" | "info" | "warn" | "error";
}

/** Writes one JSON object a line to standard output. */
export function createLogger({ service, level }: LoggerOptions): Logger {
  return pino({ level, base: { service }, timestamp: pino.stdTimeFunctions.isoTime });
}
