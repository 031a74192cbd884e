import { quantile } from "../statistics.ts";
import type { AbuserResult } from "./abuser.ts";
import type { Answer } from "./people.ts";

/** Measured while people had the services to themselves, or beside an abuser. */
export interface Phase {
  answers: readonly Answer[];
  /** Of all processes of the services and PostgreSQL. */
  cpuMicros: number;
  /** Of all processes of the services, after the phase and without garbage. */
  residentBytes: number;
  elapsedMs: number;
  /** CPU used by unrelated programs. */
  foreignMicros: number;
  /** None in a phase of people alone. */
  abuser?: AbuserResult;
}

/** Results of people over some phases. */
export interface PeopleFigures {
  /** Reads and writes that the figures rest on. */
  requests: number;
  p50Ms: number;
  readP99Ms: number;
  /** Of reads and writes. */
  p99Ms: number;
  /** Of pages. */
  pageP99Ms: number;
  /** Of the balancer's probes. */
  probeP99Ms: number;
  /** Responses other than 200, pages and probes included, by outcome. */
  errors: Record<string, number>;
  /** Cores that were busy, in all processes of the services. */
  cores: number;
}

/** Pools the responses of all phases: each phase alone has too few for a p99. */
export function peopleFigures(phases: readonly Phase[]): PeopleFigures {
  const answers = phases.flatMap((phase) => phase.answers);
  const elapsedMs = sumOf(phases, (phase) => phase.elapsedMs);
  const msOf = (...kinds: readonly string[]) =>
    answers.filter(({ kind }) => kinds.includes(kind)).map(({ ms }) => ms);
  const [all, reads] = [msOf("read", "write"), msOf("read")];
  return {
    requests: all.length,
    p50Ms: quantile(all, 0.5),
    readP99Ms: quantile(reads, 0.99),
    p99Ms: quantile(all, 0.99),
    pageP99Ms: quantile(msOf("page"), 0.99),
    probeP99Ms: quantile(msOf("probe"), 0.99),
    errors: countBy(answers.map(({ outcome }) => outcome).filter((outcome) => outcome !== "200")),
    cores: sumOf(phases, ({ cpuMicros }) => cpuMicros) / 1_000 / elapsedMs,
  };
}

/** Results of the abuser. */
export interface AbuserFigures {
  requestsPerSecond: number;
  outcomes: Record<string, number>;
  /** CPU that one of its requests took in all processes of the services. */
  microsPerRequest: number;
  /** Cores that the abuser itself kept busy. */
  cores: number;
}

/** The abuser's part of the phases: the CPU over what people took when they were alone. */
export function abuserFigures(beside: readonly Phase[], alone: readonly Phase[]): AbuserFigures {
  const cpuOf = ({ cpuMicros }: Phase) => cpuMicros;
  const asked = ({ answers }: Phase) => answers.length;
  const requests = sumOf(beside, ({ abuser }) => abuser?.requests ?? 0);
  const microsAPerson = sumOf(alone, cpuOf) / sumOf(alone, asked);
  const elapsedMs = sumOf(beside, (phase) => phase.elapsedMs);
  const micros = sumOf(beside, cpuOf) - microsAPerson * sumOf(beside, asked);
  const outcomes: Record<string, number> = {};
  for (const { abuser } of beside) {
    for (const [outcome, count] of Object.entries(abuser?.outcomes ?? {})) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    }
  }
  return {
    requestsPerSecond: (requests * 1_000) / elapsedMs,
    outcomes,
    microsPerRequest: Math.max(0, micros) / requests,
    cores: sumOf(beside, ({ abuser }) => abuser?.cpuMicros ?? 0) / 1_000 / elapsedMs,
  };
}

function sumOf(phases: readonly Phase[], of: (phase: Phase) => number): number {
  return phases.reduce((total, phase) => total + of(phase), 0);
}

/** Cores that other programs of the machine used meanwhile. */
export function foreignCores(phases: readonly Phase[]): number {
  const micros = sumOf(phases, ({ foreignMicros }) => foreignMicros);
  return Math.max(0, micros) / 1_000 / sumOf(phases, ({ elapsedMs }) => elapsedMs);
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
