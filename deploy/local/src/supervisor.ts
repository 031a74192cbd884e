import { setTimeout as sleep } from "node:timers/promises";

import type { Exit } from "./exits.ts";

/** Something that runs until it exits or is told to stop. */
export interface Running {
  /** Settles when it has exited, for any reason. */
  readonly exited: Promise<Exit>;
  /** Asks it to stop and waits until it has exited. */
  stop(): Promise<void>;
  /** Kills it, without time to clean up. */
  kill(): void;
}

export interface Supervision {
  /** Starts it after so many unrequested exits in the last hour; rejects when it could not be started. */
  launch: (recentEnds: number) => Promise<Running>;
  /**
   * Called for each unrequested exit, with the time until the next launch; `exit` is undefined when the
   * launch failed.
   */
  onEnd: (delayMs: number, exit: Exit | undefined) => void;
}

const FIRST_DELAY_MS = 100;
const LAST_DELAY_MS = 5_000;
const RECENT_MS = 3_600_000;
/** After a run of this length, delays start over. */
const STEADY_MS = 30_000;

/** Keeps one process running: restarts it when it exits, with growing delays. */
export class Supervised {
  readonly #options: Supervision;
  readonly #stopping = new AbortController();
  /** Aborts to request an immediate restart; each launch has a new controller. */
  #restarting = new AbortController();
  #current: Running | undefined;
  #watch = Promise.resolve();
  /** When it exited unrequested, in monotonic milliseconds. */
  #endsMs: number[] = [];

  constructor(options: Supervision) {
    this.#options = options;
  }

  /** Launches it for the first time; rejects on failure. */
  async start(): Promise<void> {
    const first = await this.#launch();
    this.#watch = this.#keepRunning(first);
  }

  /** Stops it permanently. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#current?.stop();
    await this.#watch;
  }

  /**
   * Restarts it immediately, even while it waits for its next launch. Not reported as an exit.
   */
  restart(): void {
    this.#restarting.abort();
    void this.#current?.stop();
  }

  /** Kills the process without restarting it. */
  kill(): void {
    this.#stopping.abort();
    this.#current?.kill();
  }

  async #keepRunning(first: Running): Promise<void> {
    const { signal } = this.#stopping;
    let running: Running | undefined = first;
    let delayMs = FIRST_DELAY_MS;
    for (;;) {
      const startedMs = performance.now();
      const exit = await running?.exited;
      const isSteady = performance.now() - startedMs > STEADY_MS;
      if (isSteady || this.#restarting.signal.aborted) delayMs = FIRST_DELAY_MS;
      await this.#pause(delayMs, exit);
      if (signal.aborted) return;
      delayMs = Math.min(delayMs * 2, LAST_DELAY_MS);
      this.#restarting = new AbortController();
      running = await this.#launch().catch(() => undefined);
    }
  }

  /** Waits until the next launch is due; `restart` ends the wait. */
  async #pause(delayMs: number, exit: Exit | undefined): Promise<void> {
    const { signal } = this.#restarting;
    if (this.#stopping.signal.aborted || signal.aborted) return;
    const now = performance.now();
    this.#endsMs = [...this.#endsMs.filter((endMs) => now - endMs < RECENT_MS), now];
    this.#options.onEnd(delayMs, exit);
    const either = AbortSignal.any([this.#stopping.signal, signal]);
    await sleep(delayMs, undefined, { signal: either }).catch(() => undefined);
  }

  async #launch(): Promise<Running> {
    const recent = this.#endsMs.filter((endMs) => performance.now() - endMs < RECENT_MS);
    const running = await this.#options.launch(recent.length);
    this.#current = running;
    // A concurrent stop found nothing to stop.
    if (this.#stopping.signal.aborted) await running.stop();
    return running;
  }
}
