import { printable } from "@nutrition/core/printable";

/** Numbers of pino's levels. */
const LEVELS: Readonly<Record<number, { name: string; colour: number }>> = {
  20: { name: "debug", colour: 2 },
  30: { name: "info", colour: 32 },
  40: { name: "warn", colour: 33 },
  50: { name: "error", colour: 31 },
  60: { name: "fatal", colour: 31 },
};
const UNKNOWN_LEVEL = { name: "?", colour: 0 };
const FAINT = 2;
/** Length of the longest service name and of the longest level. */
const SERVICE_WIDTH = 8;
const LEVEL_WIDTH = 5;
/** Long enough to find a trace, and to distinguish requests and accounts. */
const SHORT_ID_LENGTH = 8;

/** One line of a service's log. */
export interface LogRecord {
  readonly level?: number;
  readonly time?: string;
  readonly service?: string;
  readonly module?: string;
  readonly msg?: string;
  readonly err?: unknown;
  readonly [fact: string]: unknown;
}

/** Parses a log line; undefined for any other line, such as Node's own output. */
export function readLogRecord(line: string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === "object" && value !== null && "msg" in value;
    return isRecord ? (value as LogRecord) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Formats a record as one line for people: local time, service, level and what happened. A request
 * is shown as method, route, status and duration; ids are shortened. Nothing in a record can
 * control the terminal.
 */
export function textOf(record: LogRecord, { hasColours }: { hasColours: boolean }): string {
  const { level = 0, time, service = "", module, msg = "", err, ...facts } = record;
  const paint = (colour: number, text: string) =>
    hasColours && text !== "" ? `\x1b[${colour}m${text}\x1b[0m` : text;
  const { name, colour } = LEVELS[level] ?? UNKNOWN_LEVEL;
  const request = requestOf(facts);
  const omittedFields = request === undefined ? SAME_EVERYWHERE : TOLD_OF_REQUEST;
  const fields = Object.entries(facts).flatMap(([fact, value]) =>
    omittedFields.has(fact) ? [] : factOf(fact, value),
  );
  const part = module === undefined || request !== undefined ? [] : [`module=${module}`];
  const details = [...part, ...fields].join(" ");
  return [
    paint(FAINT, clockTime(time)),
    printable(service).padEnd(SERVICE_WIDTH),
    paint(colour, name.padEnd(LEVEL_WIDTH)),
    [request ?? linesOf(msg), printable(errorOf(err)), paint(FAINT, printable(details))]
      .filter((text) => text !== "")
      .join("  "),
  ].join(" ");
}

const SAME_EVERYWHERE: ReadonlySet<string> = new Set(["pid", "hostname"]);
/** Fields already shown at the head of a request's line. */
const TOLD_OF_REQUEST: ReadonlySet<string> = new Set([
  ...SAME_EVERYWHERE,
  ...["method", "route", "status", "duration_ms"],
]);

/** Messages are our own; only configuration errors have several lines. */
function linesOf(message: string): string {
  return message.split("\n").map(printable).join("\n");
}

/** `GET /api/v1/me 200 12.3 ms`; undefined for a record that is not about a request. */
function requestOf({ method, route, status, duration_ms }: Record<string, unknown>) {
  if (typeof route !== "string" || typeof status !== "number") return undefined;
  const parts = [
    method,
    route,
    status,
    duration_ms === undefined ? "" : `${String(duration_ms)} ms`,
  ];
  return printable(parts.filter((part) => part !== undefined && part !== "").join(" "));
}

function factOf(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (name.endsWith("_id") && typeof value === "string") {
    return [`${name.slice(0, -"_id".length)}=${shortId(value)}`];
  }
  return [`${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`];
}

/** UUIDs created at about the same time begin alike, so the log shows their end. */
function shortId(id: string): string {
  return id.includes("-") ? id.slice(-SHORT_ID_LENGTH) : id.slice(0, SHORT_ID_LENGTH);
}

/** An error's message and origin; the whole stack is in the JSON. */
function errorOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return error === undefined ? "" : String(error);
  const { type = "Error", message = "", stack = "" } = error as Record<string, unknown>;
  const place = /^ +at .*$/m.exec(String(stack))?.[0].trim();
  return `${String(type)}: ${String(message)}${place === undefined ? "" : ` (${place})`}`;
}

function clockTime(time: string | undefined): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return "--:--:--.---";
  const two = (value: number) => String(value).padStart(2, "0");
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, "0")}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
}
