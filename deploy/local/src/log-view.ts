import { type LogRecord, readLogRecord, textOf } from "@nutrition/service/log-text";

/** Style of the services' logs on the terminal. */
export interface ViewStyle {
  format: "json" | "text";
  hasColours: boolean;
}

const INFO_LEVEL = 30;
const WARN_LEVEL = 40;
/** Longer lines, which no record has, are skipped. */
const LINE_LENGTH_MAX = 65_536;

/** Selects the lines of one program's log for the terminal, as they arrive. */
export class LogView {
  readonly #style: ViewStyle;
  readonly #conditions: Set<unknown>;
  #begun = "";

  /**
   * `conditions` are those of the database that the terminal shows as present; the views of all
   * programs share it, because each service that uses the database logs them.
   */
  constructor(style: ViewStyle, conditions: Set<unknown>) {
    this.#style = style;
    this.#conditions = conditions;
  }

  /** The lines of a new chunk to show. */
  take(chunk: Buffer): string[] {
    const lines = (this.#begun + chunk.toString()).split("\n");
    this.#begun = lines.pop()?.slice(0, LINE_LENGTH_MAX) ?? "";
    return lines.flatMap((line) => {
      const record = readLogRecord(line);
      if (!record || !this.#isShown(record)) return [];
      return [this.#style.format === "json" ? line : textOf(record, this.#style)];
    });
  }

  #isShown(record: LogRecord): boolean {
    const { condition, isOver } = record;
    if (condition === undefined) return matters(record);
    if (isOver === true) return this.#conditions.delete(condition);
    const isNew = !this.#conditions.has(condition);
    this.#conditions.add(condition);
    return isNew;
  }
}

/** Warnings and errors, each request once, and what `LOG_LEVEL` asks for explicitly. */
function matters({ level = 0, service, module }: LogRecord): boolean {
  if (level >= WARN_LEVEL || level < INFO_LEVEL) return true;
  return service === "gateway" && module === "requests";
}
