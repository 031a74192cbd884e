import { LOG_MODULES } from "@nutrition/core/logger";
import { z } from "zod";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const SERVICES = [
  ...["gateway", "web", "auth", "journal", "limits", "analysis"],
  ...["identity", "setup", "observe"],
];
const DEFAULT_LEVEL: LogLevel = "info";
/** Scope of a level: every service, one service, a part, or a part of one service. */
type Scope = string;
const EVERYTHING: Scope = "";

/** Log levels of services and their parts; see `parseLogLevels` for the syntax. */
export class LogLevels {
  readonly #levels: ReadonlyMap<Scope, LogLevel>;

  constructor(levels: ReadonlyMap<Scope, LogLevel> = new Map()) {
    this.#levels = levels;
  }

  /** The level of a service, or of a part of it. The most specific setting applies. */
  of(service: string, module?: string): LogLevel {
    const levels = this.#levels;
    const ofModule =
      module === undefined ? undefined : (levels.get(`${service}.${module}`) ?? levels.get(module));
    return ofModule ?? levels.get(service) ?? levels.get(EVERYTHING) ?? DEFAULT_LEVEL;
  }
}

/**
 * Parses `LOG_LEVEL`: one level for everything, and levels of services (`journal=warn`), of parts
 * (`rpc=debug`) and of parts of one service (`journal.outbox=debug`), separated by commas. The most
 * specific one applies: a part of a service, then a part, then a service. Throws an explanation for
 * an unknown or repeated scope.
 */
export function parseLogLevels(text: string): LogLevels {
  const levels = new Map<Scope, LogLevel>();
  for (const item of text.split(",").map((part) => part.trim())) {
    const at = item.indexOf("=");
    const scope = at < 0 ? EVERYTHING : item.slice(0, at);
    if (at >= 0) assertScope(scope);
    if (levels.has(scope)) {
      throw new Error(`has two levels for ${scope === EVERYTHING ? "everything" : scope}`);
    }
    levels.set(scope, levelOf(item.slice(at + 1)));
  }
  return new LogLevels(levels);
}

/** `LOG_LEVEL` in a configuration. */
export const logLevels = z.string().transform((text, context) => {
  try {
    return parseLogLevels(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
    return z.NEVER;
  }
});

function levelOf(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level) return level;
  throw new Error(
    `a level must be one of ${LOG_LEVELS.join(", ")}; write them as info,journal.outbox=debug`,
  );
}

function assertScope(scope: string): void {
  const modules: readonly string[] = LOG_MODULES;
  const [first = "", module, ...rest] = scope.split(".");
  const isKnown =
    module === undefined
      ? SERVICES.includes(first) || modules.includes(first)
      : SERVICES.includes(first) && modules.includes(module) && rest.length === 0;
  if (isKnown) return;
  throw new Error(
    `levels can be set for a service (${SERVICES.join(", ")}), a part (${modules.join(", ")}), or a part of a service such as journal.outbox`,
  );
}
