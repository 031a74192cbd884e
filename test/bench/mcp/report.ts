import type { BenchOptions } from "../options.ts";
import type { Round } from "../rounds.ts";
import { medianRound } from "../rounds.ts";
import { geometricMean } from "../statistics.ts";
import type { HandlerMicros } from "./handlers.ts";

/** Minimum throughput of tool calls per core, relative to the same read over REST. */
const RATIO_MIN = 0.85;
/** Converting the schemas takes about 1,000 µs. */
const TOOL_LIST_MICROS_MAX = 100;

interface Measured {
  rest: readonly Round[];
  call: readonly Round[];
  list: readonly Round[];
  /** Microseconds of one tool list inside the gateway. */
  toolListMicros: number;
  handlers: HandlerMicros;
}

/** Result of a run. */
export interface Report {
  conditions: Pick<BenchOptions, "rounds" | "seconds" | "connections">;
  questions: { name: string; median: Round; rounds: readonly Round[] }[];
  /** CPU time of a read divided by that of the tool calls of the same round: the geometric mean of all rounds. */
  ratio: number;
  /** Standard error of `ratio`; NaN for a single round. */
  ratioError: number;
  ratioMin: number;
  /** The same of the rates, which include the load's own work: it writes and reads twice as much for a call. */
  rateRatio: number;
  toolListMicros: number;
  toolListMicrosMax: number;
  /** CPU of a call in our dispatcher, and in the SDK's stateless handler. */
  handlers: HandlerMicros;
}

/** Compares tool calls with REST. */
export function compare(
  conditions: Report["conditions"],
  { rest, call, list, toolListMicros, handlers }: Measured,
): Report {
  const ratioOf = (compared: (read: Round, called: Round) => number) =>
    geometricMean(call.flatMap((called, at) => (rest[at] ? compared(rest[at], called) : [])));
  const perCore = ratioOf((read, called) => read.totalMicros / called.totalMicros);
  return {
    conditions,
    questions: [
      { name: "GET summary", median: medianRound(rest), rounds: rest },
      { name: "tools/call", median: medianRound(call), rounds: call },
      { name: "tools/list", median: medianRound(list), rounds: list },
    ],
    ratio: perCore.mean,
    ratioError: perCore.standardError,
    ratioMin: RATIO_MIN,
    rateRatio: ratioOf((read, called) => called.requestsPerSecond / read.requestsPerSecond).mean,
    toolListMicros,
    toolListMicrosMax: TOOL_LIST_MICROS_MAX,
    handlers,
  };
}

/** The report, for people. */
export function tableOf(report: Report): string {
  const { rounds, seconds, connections } = report.conditions;
  const lines = report.questions.map(({ name, median }) =>
    row(name, [
      Math.round(median.requestsPerSecond),
      median.p50Ms.toFixed(1),
      median.p99Ms.toFixed(1),
      Math.round(median.micros["gateway"] ?? Number.NaN),
      Math.round(median.totalMicros),
    ]),
  );
  return [
    `Medians of ${rounds} rounds of ${seconds} s in turns, ${connections} connections; tools/list by itself`,
    "",
    row("", ["requests/s", "p50 ms", "p99 ms", "gateway CPU µs", "all CPU µs"]),
    ...lines,
    "",
    `Tool calls per core against reads over REST: ${report.ratio.toFixed(2)} (standard error ${report.ratioError.toFixed(2)}); must be at least ${report.ratioMin}. By rate: ${report.rateRatio.toFixed(2)}`,
    `Listing the tools inside the gateway: ${report.toolListMicros.toFixed(1)} µs; at most ${report.toolListMicrosMax}`,
    formatHandlers(report.handlers),
  ].join("\n");
}

/** We would use the SDK's handler if it cost at most 30 µs more (docs/decisions/0020). */
function formatHandlers({ ours, sdk }: HandlerMicros): string {
  return `A call without backends: ${ours.toFixed(0)} µs of CPU in our dispatcher, ${sdk.toFixed(0)} µs in the SDK's stateless handler`;
}

function row(name: string, cells: readonly (string | number)[]): string {
  return name.padEnd(14) + cells.map((cell) => String(cell).padStart(16)).join("");
}
