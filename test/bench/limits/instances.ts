import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

import { familyCpuMicros } from "../cpu.ts";
import type { ContenderName, WorkerOrder, WorkerPlace, WorkerResult } from "./worker-orders.ts";

export interface ContenderOptions {
  /** Name in the report. */
  title: string;
  name: ContenderName;
  place: WorkerPlace;
  instances: number;
  /** Process of its store, whose CPU time is added to that of the instances. */
  storePid: number;
}

/** Result of one round, over all instances. */
export interface LimitsRound {
  decisions: number;
  allowed: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time per decision in microseconds, of the instances and their store. */
  cpuMicros: number;
}

/** One contender: its instances, each a process that also generates its share of the load. */
export class Instances implements AsyncDisposable {
  readonly title: string;
  readonly #options: ContenderOptions;
  readonly #children: ChildProcess[];

  constructor(options: ContenderOptions) {
    this.title = options.title;
    this.#options = options;
    const file = new URL("worker.ts", import.meta.url);
    const flags = [options.name, JSON.stringify(options.place)];
    this.#children = Array.from({ length: options.instances }, () => fork(file, flags));
  }

  /**
   * Runs one load with its callers distributed among the instances. Rejects when an instance exits.
   */
  async run(order: WorkerOrder, stop: AbortSignal): Promise<LimitsRound> {
    const callers = Math.ceil(order.callers / this.#children.length);
    const before = this.#cpuMicros();
    const results = await Promise.all(
      this.#children.map((child) => runOne(child, { ...order, callers }, stop)),
    );
    const spent = this.#cpuMicros() - before;
    const sum = (pick: (result: WorkerResult) => number) =>
      results.reduce((total, result) => total + pick(result), 0);
    const decisions = sum((result) => result.decisions);
    return {
      decisions,
      allowed: sum((result) => result.allowed),
      perSecond: sum((result) => result.decisions / (result.elapsedMs / 1_000)),
      p50Ms: sum((result) => result.p50Ms) / results.length,
      p99Ms: Math.max(...results.map((result) => result.p99Ms)),
      cpuMicros: spent / decisions,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#children.filter(({ exitCode, signalCode }) => !exitCode && !signalCode);
    const ended = running.filter((child) => child.connected).map((child) => once(child, "exit"));
    for (const child of running) if (child.connected) child.disconnect();
    await Promise.all(ended);
  }

  #cpuMicros(): number {
    const pids = [...this.#children.map(({ pid }) => pid ?? 0), this.#options.storePid];
    return pids.reduce((sum, pid) => sum + familyCpuMicros(pid), 0);
  }
}

async function runOne(
  child: ChildProcess,
  order: WorkerOrder,
  stop: AbortSignal,
): Promise<WorkerResult> {
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error("An instance has exited."));
  child.once("exit", onExit);
  const answered = once(child, "message", { signal: AbortSignal.any([stop, ended.signal]) });
  child.send(order);
  const [result] = (await answered) as [WorkerResult];
  child.off("exit", onExit);
  return result;
}
