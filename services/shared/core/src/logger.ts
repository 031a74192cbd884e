/**
 * Parts of services whose level can be set apart. Most are found in several services; `requests` has one
 * line for each HTTP request.
 */
export const LOG_MODULES = [
  "requests",
  "rpc",
  "database",
  "redis",
  "tls",
  "telemetry",
  "background",
  "key-set",
  "outbox",
  "writes",
  "policies",
  "reservations",
  "model",
  "foods",
  "keys",
] as const;
export type LogModule = (typeof LOG_MODULES)[number];

/** Structured log of one service: facts first, then a short constant message. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** The log of one part, with a level of its own; absent where parts are not told apart. */
  of?(module: LogModule): Logger;
}

/** What a part of a service writes to. */
export function moduleLogger(logger: Logger, module: LogModule): Logger {
  return logger.of?.(module) ?? logger;
}

/** Discards everything. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
