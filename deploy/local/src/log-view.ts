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
  #begun = "";

  constructor(style: ViewStyle) {
    this.#style = style;
  }

  /** The lines of a new chunk to show. */
  take(chunk: Buffer): string[] {
    const lines = (this.#begun + chunk.toString()).split("\n");
    this.#begun = lines.pop()?.slice(0, LINE_LENGTH_MAX) ?? "";
    return lines.flatMap((line) => {
      const record = readLogRecord(line);
      if (!record || !matters(record)) return [];
      return [this.#style.format === "json" ? line : textOf(record, this.#style)];
    });
  }
}

/** Warnings and errors, each request once, and what `LOG_LEVEL` asks for explicitly. */
function matters({ level = 0, service, module }: LogRecord): boolean {
  if (level >= WARN_LEVEL || level < INFO_LEVEL) return true;
  return service === "gateway" && module === "requests";
}
