import type { LoadGenerator } from "../load.ts";
import type { MeasuredSystem } from "../measured-system.ts";
import type { Round } from "../rounds.ts";
import { measureInTurns } from "../rounds.ts";
import type { Cell, LoadKind } from "./report.ts";

export interface EdgeMeasurementOptions {
  systems: readonly MeasuredSystem[];
  generator: LoadGenerator;
  apiKeys: readonly string[];
  paths: readonly string[];
  stop: AbortSignal;
}

const HOT_ACCOUNTS = 50;
const WARM_UP = { connections: 32, seconds: 2 };
/**
 * Answers of each system before it is measured: until V8 has compiled what is called often, a request
 * costs twice as much and more. A busy machine takes minutes for them, so the time ends it as well.
 */
const WARM_UP_ANSWERS = 8_000;
const WARM_UP_ROUNDS_MAX = 12;
/** More requests than any system answers in a second. */
const KEYS_PER_SECOND = 8_000;

/** Measures systems in turns, with accounts that call rarely and with few that call all the time. */
export class EdgeMeasurement {
  readonly #options: EdgeMeasurementOptions;
  readonly #rareKeys: readonly string[];
  readonly #answers = new Map<string, number>();

  constructor(options: EdgeMeasurementOptions) {
    this.#options = options;
    this.#rareKeys = spread(options.apiKeys);
  }

  /** Answers of a system so far. */
  answersOf(name: string): number {
    return this.#answers.get(name) ?? 0;
  }

  /** Must come first. */
  async warmUp(): Promise<void> {
    const isCold = ({ name }: MeasuredSystem) => this.answersOf(name) < WARM_UP_ANSWERS;
    for (let round = 0; round < WARM_UP_ROUNDS_MAX; round += 1) {
      if (!this.#options.systems.some(isCold)) return;
      await this.#round("rare", WARM_UP);
    }
  }

  async run(order: {
    rounds: number;
    seconds: number;
    connectionCounts: readonly number[];
  }): Promise<Cell[]> {
    const { rounds, seconds, connectionCounts } = order;
    const cells: Cell[] = [];
    for (const kind of ["rare", "hot"] as const) {
      for (const connections of connectionCounts) {
        const measured: Round[][] = this.#options.systems.map(() => []);
        for (let round = 0; round < rounds; round += 1) {
          const results = await this.#round(kind, { connections, seconds });
          results.forEach((result, index) => measured[index]?.push(result));
        }
        const named = this.#options.systems.map(({ name }, index) => {
          return { name, rounds: measured[index] ?? [] };
        });
        cells.push({ kind, connections, systems: named });
      }
    }
    return cells;
  }

  /** One round of each system. */
  async #round(
    kind: LoadKind,
    { connections, seconds }: { connections: number; seconds: number },
  ): Promise<Round[]> {
    const { systems, generator, paths, stop } = this.#options;
    const loaded = systems.map((system, index) => ({
      ...system,
      load: { apiKeys: this.#keysFor(index, kind === "hot" ? 0 : seconds) },
    }));
    const load = { paths, apiKeys: [], isInOrder: true, connections, durationMs: seconds * 1_000 };
    const measured = await measureInTurns(loaded, stop, { generator, load, rounds: 1 });
    return measured.map(([result], index) => {
      const { name } = loaded[index] as MeasuredSystem;
      this.#answers.set(name, this.answersOf(name) + (result as Round).answers);
      return result as Round;
    });
  }

  /**
   * Keys of a system's own part of the accounts, as systems may share a database: the next ones that it
   * has not been asked with, from the start again when it has been with all; or the same few, for 0 s.
   */
  #keysFor(index: number, seconds: number): string[] {
    const { systems } = this.#options;
    const part = Math.floor(this.#rareKeys.length / systems.length);
    const keys = this.#rareKeys.slice(index * part, (index + 1) * part);
    if (seconds === 0) return keys.slice(0, HOT_ACCOUNTS);
    const first = this.answersOf((systems[index] as MeasuredSystem).name) % part;
    return [...keys.slice(first), ...keys.slice(0, first)].slice(0, KEYS_PER_SECOND * seconds);
  }
}

/** The keys in an order in which neighbours have nothing to do with each other, always the same. */
function spread(keys: readonly string[]): string[] {
  let step = Math.floor(keys.length * 0.618);
  while (greatestCommonDivisor(step, keys.length) !== 1) step += 1;
  return keys.map((_, index) => keys[(index * step) % keys.length] as string);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
