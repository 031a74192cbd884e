import type { AbuserFigures, PeopleFigures, Phase } from "./figures.ts";
import { abuserFigures, foreignCores, peopleFigures } from "./figures.ts";
import { PEOPLE } from "./people.ts";

/** Maximum slowdown for people, as a factor or a duration. */
const SLOWER_TIMES_MAX = 2;
const SLOWER_MS_MAX = 25;
const REFUSAL_MICROS_MAX = 300;
/**
 * Below this total for a caller, the cost of a single refusal is not judged: a machine that idles between
 * requests spends several times the CPU on each request.
 */
const REFUSALS_CORES_MAX = 0.1;
/** Of all services together, from round to round: heaps grow and shrink by that much anyway. */
const GROWTH_BYTES_MAX = 48 * 2 ** 20;
/** Above this, the figures say little. */
const FOREIGN_CORES_MAX = 0.3;
/** Below this, a p99 is the worst few requests of a row. */
const REQUESTS_MIN = 500;
const MIB = 2 ** 20;

export interface RowPhases {
  kind: string;
  isRefused: boolean;
  connections: number;
  alone: readonly Phase[];
  beside: readonly Phase[];
}

/** People beside one abusive account, against the same people without it. */
export interface Row {
  kind: string;
  connections: number;
  alone: PeopleFigures;
  beside: PeopleFigures;
  abuser: AbuserFigures;
  /** Cores that other programs kept busy: with much of that, the figures say little. */
  foreignCores: number;
  /** Memory of all services after the abuser's last round, over what it was after its first. */
  growthBytes: number;
  /** Broken promises; empty when all were kept. */
  faults: string[];
}

/** Computes and judges a row. */
export function rowOf({ kind, isRefused, connections, ...phases }: RowPhases): Row {
  const alone = peopleFigures(phases.alone);
  const beside = peopleFigures(phases.beside);
  const abuser = abuserFigures(phases.beside, phases.alone);
  const foreign = foreignCores([...phases.alone, ...phases.beside]);
  const growthBytes =
    (phases.beside.at(-1)?.residentBytes ?? 0) - (phases.beside[0]?.residentBytes ?? 0);
  const faults = [
    ...slower("reads' p99", alone.readP99Ms, beside.readP99Ms),
    ...slower("people's p99", alone.p99Ms, beside.p99Ms),
    ...slower("pages' p99", alone.pageP99Ms, beside.pageP99Ms),
    ...slower("/readyz p99", alone.probeP99Ms, beside.probeP99Ms),
    ...Object.entries(beside.errors).map(([outcome, count]) => `${count} people got ${outcome}`),
    ...(isRefused ? dearRefusals(abuser) : []),
    ...(growthBytes > GROWTH_BYTES_MAX
      ? [`memory goes on growing, by ${Math.round(growthBytes / MIB)} MiB`]
      : []),
  ];
  return { kind, connections, alone, beside, abuser, foreignCores: foreign, growthBytes, faults };
}

function dearRefusals({ microsPerRequest, requestsPerSecond }: AbuserFigures): string[] {
  const cores = (microsPerRequest * requestsPerSecond) / 1e6;
  if (microsPerRequest <= REFUSAL_MICROS_MAX || cores <= REFUSALS_CORES_MAX) return [];
  return [
    `a refusal took ${Math.round(microsPerRequest)} µs of CPU, all ${cores.toFixed(2)} cores`,
  ];
}

function slower(what: string, aloneMs: number, besideMs: number): string[] {
  const maxMs = Math.max(aloneMs * SLOWER_TIMES_MAX, aloneMs + SLOWER_MS_MAX);
  return besideMs <= maxMs ? [] : [`${what} is ${shown(besideMs)} ms; at most ${shown(maxMs)}`];
}

const COLUMNS = [
  ["kind", 17],
  ["conns", 6],
  ["p50 ms", 16],
  ["reads' p99", 16],
  ["all p99", 16],
  ["pages' p99", 16],
  ["readyz p99", 16],
  ["abuser/s", 10],
  ["µs each", 9],
  ["cores", 14],
  ["MiB +", 7],
  ["", 6],
] as const;

/** The rows for a person to read; what is not as promised follows its row. */
export function tableOf(rows: readonly Row[]): string {
  return [lineOf(COLUMNS.map(([title]) => title)), ...rows.flatMap(linesOf)].join("\n");
}

/** Warnings when other programs used too much CPU or rows have few requests; empty otherwise. */
export function doubtsIn(rows: readonly Row[]): string {
  const cores = Math.max(...rows.map((row) => row.foreignCores));
  const requests = Math.min(...rows.map(({ beside }) => beside.requests));
  const doubts = [
    ...(cores > FOREIGN_CORES_MAX
      ? [
          `Other programs kept up to ${cores.toFixed(1)} cores busy: measure again on a quiet machine.`,
        ]
      : []),
    ...(requests < REQUESTS_MIN
      ? [`A row has only ${requests} requests of people: measure with more --rounds or --seconds.`]
      : []),
  ];
  return doubts.map((doubt) => `\n${doubt}`).join("");
}

/** Explanation of the verdicts, below the table. */
export const LEGEND = `
${PEOPLE}
Each is timed from the moment it was meant to be made; figures are alone → beside the abuser. µs each:
CPU in all processes that one of the abuser's requests took. A row passes when no p99 exceeds twice
that of people alone, or ${SLOWER_MS_MAX} ms more, whichever is larger; people got nothing but 200; a refusal took at
most ${REFUSAL_MICROS_MAX} µs, or all together ${REFUSALS_CORES_MAX} cores; and memory grew by at most ${GROWTH_BYTES_MAX / MIB} MiB from its first round to its last.`;

function linesOf(row: Row): string[] {
  const { alone, beside, abuser } = row;
  const change = (of: (figures: PeopleFigures) => number) =>
    `${shown(of(alone))} → ${shown(of(beside))}`;
  const cells = [
    row.kind,
    row.connections,
    change(({ p50Ms }) => p50Ms),
    change(({ readP99Ms }) => readP99Ms),
    change(({ p99Ms }) => p99Ms),
    change(({ pageP99Ms }) => pageP99Ms),
    change(({ probeP99Ms }) => probeP99Ms),
    Math.round(abuser.requestsPerSecond),
    Math.round(abuser.microsPerRequest),
    `${alone.cores.toFixed(2)} → ${beside.cores.toFixed(2)}`,
    Math.round(row.growthBytes / MIB),
    row.faults.length === 0 ? "ok" : "FAIL",
  ];
  return [
    lineOf(cells),
    `    the abuser got ${list(abuser.outcomes)}; it took ${abuser.cores.toFixed(2)} cores itself, other ` +
      `programs ${row.foreignCores.toFixed(2)}`,
    ...row.faults.map((fault) => `    FAIL: ${fault}`),
  ];
}

function lineOf(cells: readonly (string | number)[]): string {
  const padded = cells.map((cell, index) => {
    const width = COLUMNS[index]?.[1] ?? 0;
    return index === 0 ? String(cell).padEnd(width) : String(cell).padStart(width);
  });
  return padded.join("");
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([outcome, count]) => `${outcome} × ${count}`)
    .join(", ");
}

function shown(ms: number): string {
  return ms.toFixed(ms < 100 ? 1 : 0);
}
