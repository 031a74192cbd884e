import { readFileSync } from "node:fs";

import { describeExit, type Exit, MemoryExits } from "./exits.ts";
import { failureReasons } from "./log-reasons.ts";
import { type Running, Supervised } from "./supervisor.ts";

/** Prints progress for the person who started it. */
export type ReportProgress = (line: string) => void;

export interface Member {
  name: string;
  /** File for its output. */
  logFile: string;
  /** Starts it after so many unrequested exits in the last hour. */
  launch: (recentEnds: number) => Promise<Running>;
}

/**
 * All running members. During the start, a member that exits fails the start; afterwards it is
 * restarted.
 */
export class Fleet {
  readonly #say: ReportProgress;
  readonly #failed = new AbortController();
  readonly #memory = new MemoryExits();
  readonly #groups: Supervised[][] = [];
  readonly #byName = new Map<string, Supervised>();
  #isReady = false;

  constructor(report: ReportProgress) {
    this.#say = report;
  }

  /** Aborts, with an error to show, when a member ends before all are ready. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Launches members concurrently. The groups added last are stopped first. */
  async add(...members: readonly Member[]): Promise<void> {
    const group = members.map((member) => {
      const { launch } = member;
      return new Supervised({ launch, onEnd: (...end) => this.#onEnd(member, ...end) });
    });
    this.#groups.push(group);
    members.forEach(({ name }, index) => this.#byName.set(name, group[index]!));
    await Promise.all(group.map((member) => member.start()));
  }

  /** From now on, restarts members that exit. */
  setReady(): void {
    this.#isReady = true;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Restarts these members; ignores names of others. */
  restart(names: readonly string[]): void {
    for (const name of names) this.#byName.get(name)?.restart();
  }

  /** Stops all members, each group once those added after it have stopped. */
  async stop(): Promise<void> {
    for (const group of this.#groups.toReversed()) {
      await Promise.all(group.map((member) => member.stop()));
    }
  }

  /** Kills all members. */
  kill(): void {
    for (const member of this.#groups.flat()) member.kill();
  }

  #onEnd({ name, logFile }: Member, delayMs: number, exit: Exit | undefined): void {
    const log = readFileSync(logFile, "utf8");
    const memory = exit && this.#memory.explain(exit, log);
    if (this.#isReady) {
      const facts = [`restarting it in ${delayMs / 1_000} s.`, memory, `Its log: ${logFile}`];
      this.#say(`${name} has exited; ${facts.filter(Boolean).join(" ")}`);
      return;
    }
    const reasons = memory ?? (failureReasons(log) || (exit && describeExit(exit)));
    this.#failed.abort(new Error(`${name} does not start:\n${reasons}\nIts log: ${logFile}`));
  }
}
