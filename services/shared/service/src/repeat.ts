import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { moduleLogger } from "@nutrition/core/logger";

export interface RepeatOptions {
  /** Name of the work, for the log. */
  name: string;
  /** Time between the end of one run and the start of the next. */
  pauseMs: number;
  clock: Clock;
  logger: Logger;
}

/**
 * Runs `work` at once and again after each pause, until disposed, which waits for the current run.
 * A failed run is logged, and the next one follows.
 */
export function repeat(work: () => Promise<void>, options: RepeatOptions): AsyncDisposable {
  const stop = new AbortController();
  const running = run(work, options, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function run(
  work: () => Promise<void>,
  { name, pauseMs, clock, logger }: RepeatOptions,
  signal: AbortSignal,
): Promise<void> {
  const log = moduleLogger(logger, "background");
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      log.warn({ work: name, err: error }, "background work failed; it will be retried");
    }
    // Disposal interrupts the pause.
    await clock.sleep(pauseMs, signal).catch(() => {});
  }
}
