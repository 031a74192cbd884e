import type { BenchOptions } from "../options.ts";
import type { Round } from "../rounds.ts";
import { medianRound } from "../rounds.ts";

/**
 * Minimum share of the first peer's requests per core that the services must reach, with the most
 * connections.
 */
const RATIO_MIN = 0.6;

/** Accounts that call once, so that nothing is remembered of them, or few that call all the time. */
export type LoadKind = "rare" | "hot";

/** All systems under one load, the services first. */
export interface Cell {
  kind: LoadKind;
  connections: number;
  systems: { name: string; rounds: readonly Round[] }[];
}

/** A system's figures under one load. */
export interface Row {
  kind: LoadKind;
  connections: number;
  name: string;
  median: Round;
  /** The services' requests per core against this system's, from the medians. */
  ratio: number;
  /** The lowest and the highest ratio of two neighbouring rounds. */
  ratioRange: [number, number];
}

/** Result of a run. */
export interface Report {
  conditions: Pick<BenchOptions, "rounds" | "seconds" | "accounts">;
  rows: Row[];
  /** Against the first peer, with rare callers and the most connections. */
  ratio: number;
  ratioMin: number;
}

/** Compares the services with their peers. */
export function reportOf(conditions: Report["conditions"], cells: readonly Cell[]): Report {
  const rows = cells.flatMap(rowsOf);
  const most = Math.max(...cells.map(({ connections }) => connections));
  const headline = rows.filter((row) => row.kind === "rare" && row.connections === most)[1];
  return { conditions, rows, ratio: headline?.ratio ?? Number.NaN, ratioMin: RATIO_MIN };
}

function rowsOf({ kind, connections, systems }: Cell): Row[] {
  const [services] = systems;
  const ours = medianRound(services?.rounds ?? []);
  return systems.map(({ name, rounds }) => {
    const median = medianRound(rounds);
    const pairs = rounds.map(({ totalMicros }, index) => {
      return totalMicros / (services?.rounds[index]?.totalMicros ?? Number.NaN);
    });
    const ratio = median.totalMicros / ours.totalMicros;
    const ratioRange: [number, number] = [Math.min(...pairs), Math.max(...pairs)];
    return { kind, connections, name, median, ratio, ratioRange };
  });
}

/** The report for a person to read, in Markdown; with an earlier run's CPU beside it if given. */
export function tableOf(report: Report, earlier?: Report): string {
  const { rounds, seconds, accounts } = report.conditions;
  const heads = ["callers", "connections", "system", "requests/s", "p50 ms", "p99 ms"];
  const figures = ["CPU µs/request", "services per core", "of which"];
  const head = [...heads, ...figures, ...(earlier ? ["CPU earlier"] : [])];
  const lines = report.rows.map((row) => [
    ...cellsOf(row),
    ...(earlier ? [earlierMicros(row, earlier)] : []),
  ]);
  return [
    `Medians of ${rounds} rounds of ${seconds} s in turns, ${accounts} accounts`,
    "",
    ...[head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `Requests per core against the first peer, rare callers: ${report.ratio.toFixed(2)}; must be at least ${report.ratioMin}`,
  ].join("\n");
}

function cellsOf({ kind, connections, name, median, ratio, ratioRange }: Row): string[] {
  const [lowest, highest] = ratioRange.map((each) => each.toFixed(2));
  return [
    kind,
    String(connections),
    name,
    String(Math.round(median.requestsPerSecond)),
    median.p50Ms.toFixed(1),
    median.p99Ms.toFixed(1),
    String(Math.round(median.totalMicros)),
    name === "services" ? "" : `${ratio.toFixed(2)} (${lowest}–${highest})`,
    Object.entries(median.micros)
      .filter(([, micros]) => micros >= 1)
      .map(([process, micros]) => `${process} ${Math.round(micros)}`)
      .join(", "),
  ];
}

function earlierMicros(row: Row, { rows }: Report): string {
  const same = rows.find(
    ({ kind, connections, name }) =>
      kind === row.kind && connections === row.connections && name === row.name,
  );
  return same ? String(Math.round(same.median.totalMicros)) : "";
}
