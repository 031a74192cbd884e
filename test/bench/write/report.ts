import type { Round } from "../rounds.ts";
import type { Traffic } from "./statement-counter.ts";

/** What services sent to PostgreSQL for some writes, by role. */
export interface Counted {
  writes: number;
  traffic: Readonly<Record<string, Traffic>>;
}

interface Measured {
  counted: Counted;
  median: Round;
  /** Writes that were answered, and those that are in the database. */
  writes: number;
  stored: number;
}

export interface Report extends Measured {
  isGood: boolean;
}

export function reportOf(measured: Measured): Report {
  return { ...measured, isGood: measured.writes === measured.stored };
}

/** The report for a person to read, in Markdown. */
export function tableOf({ counted, median, writes, stored }: Report): string {
  const rows = Object.entries(counted.traffic).map(([role, { statements, roundTrips }]) => {
    return [role, perWrite(statements, counted), perWrite(roundTrips, counted)];
  });
  const cpu = Object.entries(median.micros).map(
    ([name, micros]) => `${name} ${Math.round(micros)}`,
  );
  return [
    "log_food of three lines, one call at a time",
    "",
    ...[["service", "statements", "round trips"], ["---", "---", "---"], ...rows].map(
      (cells) => `| ${cells.join(" | ")} |`,
    ),
    "",
    `p50 ${median.p50Ms.toFixed(1)} ms, p99 ${median.p99Ms.toFixed(1)} ms`,
    `CPU ${Math.round(median.totalMicros)} µs: ${cpu.join(", ")}`,
    `${writes} answers, ${stored} entries stored`,
  ].join("\n");
}

function perWrite(count: number, { writes }: Counted): string {
  return (count / writes).toFixed(1);
}
