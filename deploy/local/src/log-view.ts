import { type LogRecord, readLogRecord, textOf } from "@nutrition/service/log-text";

/** How the terminal shows the services' logs. */
export interface ViewStyle {
  format: "json" | "text";
  hasColours: boolean;
}

const INFO_LEVEL = 30;
const WARN_LEVEL = 40;
/** Longer lines, which no record has, are skipped. */
const LINE_LENGTH_MAX = 65_536;

/** Selects what matters from one program's log, line by line as it arrives. */
export class LogView {
  readonly #style: ViewStyle;
  #begun = "";

  constructor(style: ViewStyle) {
    this.#style = style;
  }

  /** The lines to show of a new chunk. */
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
