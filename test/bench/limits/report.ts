import { median } from "../statistics.ts";
import type { LimitsRound } from "./instances.ts";

/** Result of a contender in all rounds. */
export interface Measured {
  title: string;
  rounds: readonly LimitsRound[];
}

export interface LimitsFigures {
  ours: Measured;
  oursTwice: Measured;
  transactions: Measured;
  flexiblePostgres: Measured;
  /** With every write on disk before its response, like ours. */
  flexibleRedis: Measured;
  /** With nothing on disk: a weaker guarantee, for comparison. */
  flexibleRedisVolatile: Measured;
  refusals: Measured;
}

/** A target. */
export interface Target {
  text: string;
  value: number;
  min: number;
}

const TIMES_TRANSACTIONS_MIN = 10;
const REFUSALS_PER_SECOND_MIN = 50_000;

/**
 * The targets, with measurements. Peers are compared by CPU time per decision, including the
 * store's: rates vary with other load on the machine, and favor the contender with the most
 * processes.
 */
export function targetsOf(figures: LimitsFigures): Target[] {
  const { ours, transactions, flexiblePostgres, flexibleRedis, refusals } = figures;
  const against = (peer: Measured, name: string, min: number) => ({
    text: `times the decisions a core of ${name} (${format(rateOf(ours) / rateOf(peer))} times a second)`,
    value: cpuOf(peer) / cpuOf(ours),
    min,
  });
  return [
    against(transactions, "a transaction for each", TIMES_TRANSACTIONS_MIN),
    against(flexiblePostgres, "rate-limiter-flexible in PostgreSQL", 1),
    against(flexibleRedis, "rate-limiter-flexible in Redis, as durable", 1),
    {
      text: "refusals of a flooding key a second",
      value: rateOf(refusals),
      min: REFUSALS_PER_SECOND_MIN,
    },
  ];
}

/** The figures and targets, for people. */
export function limitsTable(figures: LimitsFigures, targets: readonly Target[]): string {
  return [
    row("", ["decisions/s", "p50 ms", "p99 ms", "CPU µs each"]),
    ...Object.values(figures).map(({ title, rounds }: Measured) =>
      row(title, [
        Math.round(median(rounds.map((round) => round.perSecond))),
        median(rounds.map((round) => round.p50Ms)).toFixed(2),
        median(rounds.map((round) => round.p99Ms)).toFixed(2),
        cpuOf({ title, rounds }).toFixed(1),
      ]),
    ),
    "",
    ...targets.map(
      ({ text, value, min }) =>
        `${value >= min ? "reached" : "MISSED "}  ${format(value)} ${text}; must be at least ${min}`,
    ),
  ].join("\n");
}

function rateOf({ rounds }: Measured): number {
  return median(rounds.map((round) => round.perSecond));
}

function cpuOf({ rounds }: Measured): number {
  return median(rounds.map((round) => round.cpuMicros));
}

function format(value: number): string {
  return value < 100 ? value.toFixed(1) : String(Math.round(value));
}

function row(name: string, cells: readonly (string | number)[]): string {
  return name.padEnd(52) + cells.map((cell) => String(cell).padStart(13)).join("");
}
