import type { BenchOptions } from "../options.ts";
import type { Round } from "../rounds.ts";
import { medianRound } from "../rounds.ts";

/** What the services must reach of the monolith's requests per core. */
const RATIO_MIN = 0.6;

/** What a run came to. */
export interface Report {
  conditions: Pick<BenchOptions, "rounds" | "seconds" | "connections">;
  systems: { name: string; median: Round; rounds: readonly Round[] }[];
  /** Requests per core against the monolith's, from the medians. */
  ratio: number;
  /** The lowest and the highest ratio of two neighbouring rounds. */
  ratioRange: [number, number];
  ratioMin: number;
}

/** Compares the services with the monolith. */
export function compare(
  conditions: Report["conditions"],
  services: readonly Round[],
  monolith: readonly Round[],
): Report {
  const pairs = services.map((round, index) => {
    return (monolith[index]?.totalMicros ?? Number.NaN) / round.totalMicros;
  });
  const [ours, peers] = [medianRound(services), medianRound(monolith)];
  return {
    conditions,
    systems: [
      { name: "services", median: ours, rounds: services },
      { name: "monolith", median: peers, rounds: monolith },
    ],
    ratio: peers.totalMicros / ours.totalMicros,
    ratioRange: [Math.min(...pairs), Math.max(...pairs)],
    ratioMin: RATIO_MIN,
  };
}

/** The report for a person to read. */
export function tableOf(report: Report): string {
  const { rounds, seconds, connections } = report.conditions;
  const lines = report.systems.flatMap(({ name, median }) => [
    row(name, [
      Math.round(median.requestsPerSecond),
      median.p50Ms.toFixed(1),
      median.p99Ms.toFixed(1),
      Math.round(median.totalMicros),
    ]),
    ...Object.entries(median.micros).map(([process, micros]) =>
      row(`  ${process}`, ["", "", "", Math.round(micros)]),
    ),
  ]);
  const [lowest, highest] = report.ratioRange;
  return [
    `Medians of ${rounds} rounds of ${seconds} s in turns, ${connections} connections`,
    "",
    row("", ["requests/s", "p50 ms", "p99 ms", "CPU µs/request"]),
    ...lines,
    "",
    `Requests per core against the monolith: ${report.ratio.toFixed(2)} ` +
      `(rounds ${lowest.toFixed(2)} to ${highest.toFixed(2)}); must be at least ${report.ratioMin}`,
  ].join("\n");
}

function row(name: string, cells: readonly (string | number)[]): string {
  return name.padEnd(14) + cells.map((cell) => String(cell).padStart(15)).join("");
}
