import { setTimeout as sleep } from "node:timers/promises";

import { familyCpuMicros } from "./cpu.ts";
import type { LoadGenerator, LoadOrder, LoadResult } from "./load.ts";
import type { MeasuredSystem } from "./measured-system.ts";
import { median } from "./statistics.ts";

/** Result of one round of one system. */
export interface Round {
  answers: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU microseconds per request, of all processes together. */
  totalMicros: number;
  /** The same by process. */
  micros: Record<string, number>;
}

export interface Rounds {
  generator: LoadGenerator;
  load: Omit<LoadOrder, "baseUrl" | "seed">;
  /** Rounds of each system. */
  rounds: number;
}

const SETTLE_MS = 300;

/**
 * Measures the systems in turns, so that other load on the machine affects all of them. Returns the
 * rounds of each. Throws when a request is not answered with 200.
 */
export async function measureInTurns(
  systems: readonly Omit<MeasuredSystem, typeof Symbol.asyncDispose>[],
  stop: AbortSignal,
  { generator, load, rounds }: Rounds,
): Promise<Round[][]> {
  const results: Round[][] = systems.map(() => []);
  for (let seed = 1; seed <= rounds; seed += 1) {
    for (const [index, system] of systems.entries()) {
      await sleep(SETTLE_MS, undefined, { signal: stop });
      const before = cpuOf(system);
      const result = await generator.run(
        { ...load, ...system.load, seed, baseUrl: system.baseUrl },
        stop,
      );
      results[index]?.push(roundOf(system, result, { before, after: cpuOf(system) }));
    }
  }
  return results;
}

/** CPU microseconds by process. */
type Cpu = Record<string, number>;

function cpuOf({ processes }: Pick<MeasuredSystem, "processes">): Cpu {
  const entries = Object.entries(processes);
  return Object.fromEntries(entries.map(([name, pid]) => [name, familyCpuMicros(pid)]));
}

function roundOf(
  { name }: Pick<MeasuredSystem, "name">,
  { answers, failures, firstFailure, elapsedMs, p50Ms, p99Ms }: LoadResult,
  { before, after }: { before: Cpu; after: Cpu },
): Round {
  if (failures > 0 || answers === 0) {
    throw new Error(
      `${name} failed ${failures} of ${answers + failures} requests; the first: ${firstFailure}`,
    );
  }
  const used = Object.entries(after).map(([process, micros]) => {
    return [process, (micros - (before[process] ?? 0)) / answers] as const;
  });
  return {
    answers,
    requestsPerSecond: (answers / elapsedMs) * 1_000,
    p50Ms,
    p99Ms,
    totalMicros: used.reduce((sum, [, micros]) => sum + micros, 0),
    micros: Object.fromEntries(used),
  };
}

/** The median of each figure. */
export function medianRound(rounds: readonly Round[]): Round {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const names = Object.keys(rounds[0]?.micros ?? {});
  return {
    answers: of((round) => round.answers),
    requestsPerSecond: of((round) => round.requestsPerSecond),
    p50Ms: of((round) => round.p50Ms),
    p99Ms: of((round) => round.p99Ms),
    totalMicros: of((round) => round.totalMicros),
    micros: Object.fromEntries(
      names.map((name) => [name, of((round) => round.micros[name] ?? Number.NaN)]),
    ),
  };
}
