import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

/** Work that is done again and again. */
export interface Repetition {
  /** What the log calls it. */
  name: string;
  work: () => Promise<void>;
  /** Pause after each turn. */
  pauseMs: number;
}

/**
 * Does the work at once and after each pause, until disposed, which waits for a turn that runs. A
 * turn that fails is logged, and the next one comes.
 */
export function repeat(
  { name, work, pauseMs }: Repetition,
  { clock, logger }: { clock: Clock; logger: Logger },
): AsyncDisposable {
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      await work().catch((error: unknown) => logger.warn({ err: error, name }, "a turn failed"));
      await clock.sleep(pauseMs, stop.signal).catch(() => {});
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
