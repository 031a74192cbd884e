import { setTimeout as sleep } from "node:timers/promises";

/** Something that runs until it ends by itself or is told to. */
export interface Running {
  /** Settles when it has ended, whatever ended it. */
  readonly exited: Promise<void>;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
  /** Ends it at once, with no time to tidy up. */
  kill(): void;
}

export interface Supervision {
  /** Starts it; rejects when it could not be started. */
  launch: () => Promise<Running>;
  /** Told of each end that nobody asked for, with the time until the next launch. */
  onEnd: (delayMs: number) => void;
}

const FIRST_DELAY_MS = 100;
const LAST_DELAY_MS = 5_000;
/** After so long a run, the next end is taken for the first of its kind. */
const STEADY_MS = 30_000;

/** Keeps one thing running: what ends by itself is launched again, ever more slowly. */
export class Supervised {
  readonly #options: Supervision;
  readonly #stopping = new AbortController();
  #current: Running | undefined;
  #watch = Promise.resolve();

  constructor(options: Supervision) {
    this.#options = options;
  }

  /** Launches it for the first time; rejects when that fails. */
  async start(): Promise<void> {
    const first = await this.#launch();
    this.#watch = this.#keepRunning(first);
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#current?.stop();
    await this.#watch;
  }

  /** Ends it for good and at once. */
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
      await running?.exited;
      if (signal.aborted) return;
      if (performance.now() - startedMs > STEADY_MS) delayMs = FIRST_DELAY_MS;
      this.#options.onEnd(delayMs);
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      delayMs = Math.min(delayMs * 2, LAST_DELAY_MS);
      running = await this.#launch().catch(() => undefined);
    }
  }

  async #launch(): Promise<Running> {
    const running = await this.#options.launch();
    this.#current = running;
    // A stop that came meanwhile had nothing to stop.
    if (this.#stopping.signal.aborted) await running.stop();
    return running;
  }
}
