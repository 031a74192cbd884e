import type { BenchOptions } from "../options.ts";
import type { Round } from "../rounds.ts";
import { medianRound } from "../rounds.ts";
import type { PeopleDatabase } from "./databases.ts";
import type { Work } from "./operations.ts";
import type { Planned } from "./plans.ts";

/** Maximum ratio of the cost of a read with many people to its cost with few. */
const RATIO_MAX = 1.3;
/** Milliseconds of CPU that exporting or erasing an account may take. */
const WORK_MAX_MS = 1_000;
/** Rows that a statement for one account may read: erasing finds and deletes a year of items. */
const ROWS_MAX = 10_000;

/** Rounds of a read with both databases. */
export interface ReadRounds {
  read: string;
  small: Round[];
  large: Round[];
}

export interface Measured {
  options: Pick<BenchOptions, "rounds" | "seconds" | "connections">;
  databases: readonly PeopleDatabase[];
  reads: readonly ReadRounds[];
  /** Exports and erasures, by length of the journal. */
  rights: Readonly<Record<string, readonly Work[]>>;
  plans: readonly Planned[];
  isLarge: (table: string) => boolean;
}

export interface ScaleReport {
  conditions: Measured["options"];
  databases: { name: string; accounts: number; megabytes: number; seconds: number }[];
  reads: { read: string; small: Round; large: Round; ratio: number }[];
  rights: Measured["rights"];
  statements: number;
  /** The statements that read the most rows. */
  most: Planned[];
  /** Statements that read a whole large table, or too many rows. */
  bad: Planned[];
  isGood: boolean;
}

export function reportOf(measured: Measured): ScaleReport {
  const { rounds, seconds, connections } = measured.options;
  const reads = measured.reads.map(({ read, ...both }) => {
    const [small, large] = [medianRound(both.small), medianRound(both.large)];
    return { read, small, large, ratio: large.totalMicros / small.totalMicros };
  });
  const bad = measured.plans.filter(
    ({ rows, scanned }) => rows > ROWS_MAX || scanned.some(measured.isLarge),
  );
  const work = Object.values(measured.rights).flat();
  return {
    conditions: { rounds, seconds, connections },
    databases: measured.databases.map(({ name, people, bytes, seconds: taken }) => {
      const megabytes = Math.round(bytes / 1e6);
      return { name, accounts: people.length, megabytes, seconds: Math.round(taken) };
    }),
    reads,
    rights: measured.rights,
    statements: measured.plans.length,
    most: measured.plans.slice(0, 5),
    bad,
    isGood:
      bad.length === 0 &&
      reads.every(({ ratio }) => ratio <= RATIO_MAX) &&
      work.every(({ cpuMs }) => cpuMs <= WORK_MAX_MS),
  };
}

/** The report for a person to read, in Markdown. */
export function tableOf(report: ScaleReport): string {
  const { rounds, seconds, connections } = report.conditions;
  const databases = report.databases.map(
    ({ name, accounts, megabytes, seconds: taken }) =>
      `${name}: ${accounts} accounts, ${megabytes} MB, written in ${taken} s`,
  );
  const reads = report.reads.map(({ read, small, large, ratio }) => [
    read,
    ...[small, large].flatMap(({ totalMicros, micros, p50Ms, p99Ms }) => [
      `${Math.round(totalMicros)} (PostgreSQL ${Math.round(micros["postgres"] ?? 0)})`,
      `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`,
    ]),
    ratio.toFixed(2),
  ]);
  const rights = Object.entries(report.rights).flatMap(([length, works]) =>
    works.map(({ name, cpuMs, elapsedMs }) => [name, length, cpuMs, elapsedMs].map(rounded)),
  );
  return [
    ...databases,
    `Medians of ${rounds} rounds of ${seconds} s in turns, ${connections} connections, each account calls once`,
    "",
    ...table(
      ["read", "small: CPU µs", "p50 / p99 ms", "large: CPU µs", "p50 / p99 ms", "ratio"],
      reads,
    ),
    "",
    ...table(["work", "journal", "CPU ms", "elapsed ms"], rights),
    "",
    `${report.statements} statements; those that read the most rows:`,
    ...report.most.map(lineOf),
    `Statements that read a large table as a whole, or more than ${ROWS_MAX} rows: ${report.bad.length}`,
    ...report.bad.map(lineOf),
    "",
    report.isGood
      ? "All within bounds."
      : `Not good: a ratio above ${RATIO_MAX}, ${WORK_MAX_MS} ms of CPU, or a plan.`,
  ].join("\n");
}

function rounded(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value)) : value;
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
}

function lineOf({ statement, runs, rows, scanned }: Planned): string {
  const whole = scanned.length > 0 ? `, whole ${scanned.join(" ")}` : "";
  return `- ${rows} rows${whole}, ${runs} runs: ${statement.slice(0, 160)}`;
}
