import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

export interface RepeatOptions {
  /** What is done, for the log. */
  name: string;
  /** Pause between the end of one turn and the start of the next. */
  everyMs: number;
  clock: Clock;
  logger: Logger;
}

/**
 * Does `work` again and again, first after a pause, until disposed, which waits for a turn that
 * runs. An error is logged and ends only its turn.
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
  { name, everyMs, clock, logger }: RepeatOptions,
  signal: AbortSignal,
): Promise<void> {
  while (await paused(clock, everyMs, signal)) {
    try {
      await work();
    } catch (error) {
      logger.warn({ work: name, err: error }, "background work failed; it will be tried again");
    }
  }
}

/** Whether the pause was sat out rather than cut short by the end. */
async function paused(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return clock.sleep(ms, signal).then(
    () => !signal.aborted,
    () => false,
  );
}
