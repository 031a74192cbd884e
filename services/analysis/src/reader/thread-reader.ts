import { setTimeout as sleep } from "node:timers/promises";

import { unlessAborted } from "@nutrition/core/abort";
import { Failure } from "@nutrition/core/failure";
import { FairQueue } from "@nutrition/core/fair-queue";
import type { Logger } from "@nutrition/core/logger";
import { analysisReaderEnds } from "@nutrition/telemetry/metrics/nutrition";

import type { Costly, FoodReader, LinesToRead, ReaderContext } from "../operations/food-reader.ts";
import type { ImportedFoodQueries } from "../retrieval/imported-source.ts";
import { linesMeant, sameLines } from "./costly-lines.ts";
import type { FromThread, ResultOf, WorkName, WorkOf } from "./messages.ts";
import type { Section } from "./progress.ts";
import { answerQuery } from "./queries.ts";
import { Thread } from "./thread.ts";

/** Calls that the thread has at once: it reads some while others wait for the database. */
const TURNS = { slots: 16, slotsPerKey: 4, waitingMax: 2_048, waitingPerKeyMax: 256 };
const WATCH_PAUSE_MS = 100;
const FIRST_RETRY_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** Calls are numbered from 1 to this, the largest number that the thread can note. */
const CALLS_MAX = 2 ** 31 - 1;

export interface ThreadReaderOptions {
  /** The module that the thread runs. */
  module: URL;
  imported: ImportedFoodQueries;
  importedFoodsWaitMs?: number | undefined;
  logger: Logger;
  /** Calls `start`, which starts a thread, under the conditions that a thread needs until it answers. */
  startThread: (start: () => Promise<Thread>) => Promise<Thread>;
  /** Called whenever a thread has begun or ceased to answer. */
  onChange: (state: { isReading: boolean; heapBytes: number }) => void;
}

/** A call that has been sent to the thread, and is sent to the next one if the thread ends. */
interface Outstanding {
  readonly name: WorkName;
  readonly work: WorkOf;
  readonly resolve: (outcome: ResultOf | Costly) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads food text in a thread, which is terminated and replaced if a line blocks it. That line is refused; all
 * other calls wait for the next thread.
 */
export class ThreadReader implements FoodReader, AsyncDisposable {
  readonly #options: ThreadReaderOptions;
  readonly #turns = new FairQueue(TURNS);
  readonly #outstanding = new Map<number, Outstanding>();
  readonly #closing = new AbortController();
  #lastCall = 0;
  /** Undefined while no thread answers. */
  #thread: Thread | undefined;
  #relaunching = Promise.resolve();
  #watch: NodeJS.Timeout | undefined;
  #hasFailedToStart = false;

  private constructor(options: ThreadReaderOptions) {
    this.#options = options;
  }

  /** Resolves when a thread answers; rejects if its tables cannot be read. */
  static async start(options: ThreadReaderOptions): Promise<ThreadReader> {
    const reader = new ThreadReader(options);
    await reader.#launch();
    return reader;
  }

  readLines(asked: LinesToRead, context: ReaderContext) {
    return this.#run("readLines", asked, context);
  }

  explainLine(line: string, context: ReaderContext) {
    return this.#run("explainLine", line, context);
  }

  searchFoods(query: WorkOf<"searchFoods">, context: ReaderContext) {
    return this.#run("searchFoods", query, context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#rejectAll();
    await this.#relaunching;
    await this.#thread?.[Symbol.asyncDispose]();
  }

  async #run<Name extends WorkName>(
    name: Name,
    work: WorkOf<Name>,
    { turn, signal }: ReaderContext,
  ): Promise<ResultOf<Name> | Costly> {
    if (this.#hasFailedToStart) throw notReading();
    // The thread reads all that it was sent, so a call that its caller gives up keeps its turn until then.
    const outcome = this.#turns.run(turn, () => this.#send(name, work), signal);
    return (await unlessAborted(outcome, signal)) as ResultOf<Name> | Costly;
  }

  async #send(name: WorkName, work: WorkOf): Promise<ResultOf | Costly> {
    this.#lastCall = (this.#lastCall % CALLS_MAX) + 1;
    const call = this.#lastCall;
    const { promise, resolve, reject } = Promise.withResolvers<ResultOf | Costly>();
    this.#outstanding.set(call, { name, work, resolve, reject });
    this.#watch ??= setInterval(() => void this.#thread?.endIfStalled(), WATCH_PAUSE_MS);
    this.#thread?.send({ kind: "call", call, name, work });
    try {
      return await promise;
    } finally {
      this.#outstanding.delete(call);
      if (this.#outstanding.size === 0) this.#endWatch();
    }
  }

  #endWatch(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  async #launch(): Promise<void> {
    const { module, importedFoodsWaitMs, startThread, onChange } = this.#options;
    const thread = await startThread(() =>
      Thread.start({
        module,
        importedFoodsWaitMs,
        onMessage: (message) => this.#receive(thread, message),
        onEnd: (reason, section) => this.#replace(reason, section),
      }),
    );
    this.#thread = thread;
    this.#hasFailedToStart = false;
    for (const [call, { name, work }] of this.#outstanding) {
      thread.send({ kind: "call", call, name, work });
    }
    onChange({ isReading: true, heapBytes: thread.heapBytes });
  }

  #receive(thread: Thread, message: Exclude<FromThread, { kind: "ready" }>): void {
    const { call } = message;
    if (message.kind === "find") {
      const { query, asked } = message;
      const found = answerQuery(this.#options.imported, asked);
      void found.then((rows) => thread.send({ kind: "found", call, query, rows }));
      return;
    }
    const outstanding = this.#outstanding.get(call);
    if (message.kind === "failed") return outstanding?.reject(new Error(message.stack));
    const { result, costly } = message;
    if (costly.length === 0) return outstanding?.resolve(result);
    this.#options.logger.warn({ lines: costly.length }, "a line took too long to read");
    const lines = costly.flatMap((line) => linesMeant(outstanding?.work ?? "", line));
    outstanding?.resolve({ costly: [...new Set(lines)] });
  }

  /** Refuses what the thread worked on last, wherever it waits, and starts another one for all other calls. */
  #replace(reason: string, section: Section): void {
    const { logger, onChange } = this.#options;
    this.#thread = undefined;
    analysisReaderEnds.add(1, {});
    logger.warn({ cause: reason }, "the reader of food text has ended; starting another one");
    onChange({ isReading: false, heapBytes: 0 });
    const culprit = this.#outstanding.get(section.call);
    const lines = culprit ? linesMeant(culprit.work, section.line) : [];
    for (const { work, resolve } of culprit ? this.#outstanding.values() : []) {
      const costly = sameLines(work, culprit?.work ?? "", lines);
      if (costly.length > 0) resolve({ costly });
    }
    this.#relaunching = this.#relaunch();
  }

  /** Tries until a thread answers. After the first failure, calls no longer wait for it. */
  async #relaunch(): Promise<void> {
    const { signal } = this.#closing;
    for (let pauseMs = FIRST_RETRY_MS; !signal.aborted; pauseMs *= 2) {
      try {
        return await this.#launch();
      } catch (error) {
        this.#options.logger.error({ err: error }, "the reader of food text does not start");
      }
      this.#hasFailedToStart = true;
      this.#rejectAll();
      await sleep(Math.min(pauseMs, RETRY_MAX_MS), undefined, { signal }).catch(() => {});
    }
  }

  #rejectAll(): void {
    for (const { reject } of this.#outstanding.values()) reject(notReading());
  }
}

function notReading(): Failure {
  const message = "Food text cannot be read right now; call again in a few seconds.";
  return new Failure("unavailable", "NOT_READING", message, { retryAfterMs: 2_000 });
}
