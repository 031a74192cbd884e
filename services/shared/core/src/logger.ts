/**
 * Parts of services with a separate log level. Most exist in several services; `requests` has one
 * line per HTTP request.
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
  "reader",
  "keys",
] as const;
export type LogModule = (typeof LOG_MODULES)[number];

/** Structured log of one service: facts first, then a short constant message. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** The log of one part, with its own level; absent where parts are not distinguished. */
  of?(module: LogModule): Logger;
}

/** The log of a part of a service. */
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
