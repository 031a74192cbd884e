import { setTimeout as sleep } from "node:timers/promises";

import { familyCpuMicros, machineCpuMicros } from "../cpu.ts";
import { DATES } from "../edge/journal-data.ts";
import type { MeasuredSystem } from "../measured-system.ts";
import { whileProbingDisk } from "../disk-probe.ts";
import { collectGarbage, residentBytes } from "../memory.ts";
import { WorkerProcess } from "../worker-process.ts";
import type { AbuserOrder, AbuserResult } from "./abuser.ts";
import type { Phase } from "./figures.ts";
import type { AbuseKind } from "./kinds.ts";
import type { Answer, PeopleOrder } from "./people.ts";
import { planArrivals } from "./people.ts";
import type { StrangerTokens } from "./stranger-tokens.ts";

/** Enough to load the machine, and few enough that making them does not. */
const ABUSER_REQUESTS_A_SECOND_MAX = 1_500;
/** Pause after each phase, for leftover work to end. */
const SETTLE_MS = 500;
/** Full collections of all services take about 400 ms of two cores. */
const COLLECTED_WITHIN_MS = 1_000;
/** Longest flush of a phase that counts; commits usually take 1 to 5 ms. */
const FLUSH_MS_MAX = 50;
/** How often a phase is measured at most. If the disk always stalls, the last one counts. */
const TRIES_MAX = 4;
/** Far more than any account's limit. */
const REQUESTS_UNTIL_USED_UP_MAX = 500;

export interface MeasurementOptions {
  services: Omit<MeasuredSystem, typeof Symbol.asyncDispose>;
  /** On the disk that PostgreSQL uses. */
  folder: string;
  /** API keys of ordinary people. */
  people: readonly string[];
  tokens: StrangerTokens;
  /** Length of a phase. */
  seconds: number;
}

/** One abusive account with its number of connections. */
export interface Abuser {
  kind: AbuseKind;
  connections: number;
  apiKey: string;
}

/** Runs people, and an abuser beside them, each in a separate process. */
export class Measurement implements Disposable {
  readonly #options: MeasurementOptions;
  readonly #stop: AbortSignal;
  readonly #people = new WorkerProcess<PeopleOrder, Answer[]>(
    new URL("people-worker.ts", import.meta.url),
  );
  readonly #abuser = new WorkerProcess<AbuserOrder, AbuserResult>(
    new URL("abuser-worker.ts", import.meta.url),
  );
  #writes = 0;
  #repeats = 0;

  constructor(options: MeasurementOptions, stop: AbortSignal) {
    this.#options = options;
    this.#stop = stop;
  }

  /** Phases that were measured again because the disk stalled. */
  get repeats(): number {
    return this.#repeats;
  }

  /** Measures people alone. The same seed makes the same requests. */
  alone(seed: number): Promise<Phase> {
    return this.#phase(seed, async () => ({}));
  }

  /** Measures people beside an abuser. */
  beside({ kind, connections, apiKey }: Abuser, seed: number): Promise<Phase> {
    const { services, tokens, seconds } = this.#options;
    const { host, hostname, port } = new URL(services.baseUrl);
    const count = ABUSER_REQUESTS_A_SECOND_MAX * seconds;
    const order: AbuserOrder = {
      host: hostname,
      port: Number(port),
      manner: kind.manner,
      addresses: crowdAddresses(kind.crowd?.networks ?? 0),
      messages: kind.messagesFor({ host, apiKey, tokens, count }),
      connections,
      durationMs: seconds * 1_000,
      perSecondMax: ABUSER_REQUESTS_A_SECOND_MAX,
    };
    return this.#phase(seed, async () => ({ abuser: await this.#abuser.run(order, this.#stop) }));
  }

  /** Makes requests with the key until they are refused. */
  async useUp(apiKey: string): Promise<void> {
    const url = `${this.#options.services.baseUrl}/api/v1/me`;
    const headers = { authorization: `Bearer ${apiKey}` };
    for (let count = 0; count < REQUESTS_UNTIL_USED_UP_MAX; count += 1) {
      const response = await fetch(url, { headers, signal: this.#stop });
      await response.arrayBuffer();
      if (response.status === 429) return;
    }
    throw new Error(`A key is not used up after ${REQUESTS_UNTIL_USED_UP_MAX} requests.`);
  }

  [Symbol.dispose](): void {
    this.#people[Symbol.dispose]();
    this.#abuser[Symbol.dispose]();
  }

  async #phase(seed: number, runAbuser: () => Promise<Pick<Phase, "abuser">>): Promise<Phase> {
    for (let tries = 1; ; tries += 1) {
      const { result, longestFlushMs } = await whileProbingDisk(this.#options.folder, () =>
        this.#measurePhase(seed, runAbuser),
      );
      if (longestFlushMs <= FLUSH_MS_MAX || tries === TRIES_MAX) return result;
      this.#repeats += 1;
    }
  }

  async #measurePhase(
    seed: number,
    runAbuser: () => Promise<Pick<Phase, "abuser">>,
  ): Promise<Phase> {
    const { services, people, seconds } = this.#options;
    const arrivals = planArrivals({
      apiKeys: people,
      dates: DATES,
      durationMs: seconds * 1_000,
      seed,
      firstWrite: this.#writes,
    });
    this.#writes += arrivals.filter(({ kind }) => kind === "write").length;
    const order = { baseUrl: services.baseUrl, arrivals };
    const startedMs = performance.now();
    const cpu = this.#cpuMicros();
    const [answers, abuser] = await Promise.all([this.#people.run(order, this.#stop), runAbuser()]);
    const elapsedMs = performance.now() - startedMs;
    await sleep(SETTLE_MS, undefined, { signal: this.#stop });
    const cpuAfter = this.#cpuMicros();
    const pids = this.#ownPids();
    await collectGarbage(pids, COLLECTED_WITHIN_MS);
    return {
      answers,
      ...abuser,
      elapsedMs,
      cpuMicros: cpuAfter.services - cpu.services,
      foreignMicros: cpuAfter.foreign - cpu.foreign,
      residentBytes: pids.reduce((sum, pid) => sum + residentBytes(pid), 0),
    };
  }

  #cpuMicros(): { services: number; foreign: number } {
    const { processes } = this.#options.services;
    const services = Object.values(processes).reduce((sum, pid) => sum + familyCpuMicros(pid), 0);
    // The services and the loads are children of this process; PostgreSQL's backends are not.
    const own = familyCpuMicros(process.pid) + familyCpuMicros(processes["postgres"] ?? 0);
    return { services, foreign: machineCpuMicros() - own };
  }

  /** Without PostgreSQL, whose processes share most of their memory. */
  #ownPids(): number[] {
    const { postgres: _, ...own } = this.#options.services.processes;
    return Object.values(own);
  }
}

/** Loopback addresses of which each is a network, and none that of the people. */
function crowdAddresses(networks: number): string[] {
  return Array.from({ length: networks }, (_, index) => `127.0.1.${index + 1}`);
}
