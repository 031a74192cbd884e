import { Worker } from "node:worker_threads";

import type { FromThread, ThreadData, ToThread } from "./messages.ts";
import { newProgress, type Section, sectionOf } from "./progress.ts";
import { StallJudge } from "./stall-judge.ts";

/**
 * CPU time of one section after which the thread is terminated, in milliseconds: about as much as starting another
 * one costs. A line that takes less is refused when it has been read, which costs the others less.
 */
const SECTION_CPU_MAX_MS = 1_000;
/** Old generation of the thread's heap; beyond it, the thread ends instead of the process. */
const HEAP_MAX_MIB = 320;

export interface ThreadOptions {
  /** The module that the thread runs. */
  readonly module: URL;
  readonly importedFoodsWaitMs: number | undefined;
  readonly onMessage: (message: Exclude<FromThread, { kind: "ready" }>) => void;
  /** Called when it ends without having been closed; `section` is what it worked on last. */
  readonly onEnd: (reason: string, section: Section) => void;
}

/** One thread that reads food text. */
export class Thread implements AsyncDisposable {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #progress = newProgress();
  readonly #judge = new StallJudge(SECTION_CPU_MAX_MS);
  readonly #ready = Promise.withResolvers<void>();
  #heapBytes = 0;
  #isReady = false;
  #hasEnded = false;

  private constructor(options: ThreadOptions) {
    this.#options = options;
    const { module, importedFoodsWaitMs } = options;
    const workerData: ThreadData = { progress: this.#progress, importedFoodsWaitMs };
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MAX_MIB };
    this.#worker = new Worker(module, { name: "reader", workerData, resourceLimits });
    this.#worker.on("message", (message: FromThread) => this.#receive(message));
    const endedWith = (reason: string) => this.#end(reason, sectionOf(this.#progress));
    this.#worker.on("error", (error) => endedWith(String((error as Error).stack ?? error)));
    this.#worker.on("exit", () => endedWith("it exited"));
  }

  /** Resolves when it has read its tables; rejects if it cannot. */
  static async start(options: ThreadOptions): Promise<Thread> {
    const thread = new Thread(options);
    await thread.#ready.promise;
    return thread;
  }

  /** Heap that its tables take. */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Terminates the thread if one section of its work has blocked it for too long. */
  async endIfStalled(): Promise<void> {
    const section = sectionOf(this.#progress);
    // Rejects if the thread has ended in the meantime.
    const usage = await this.#worker.cpuUsage().catch(() => undefined);
    if (!usage || this.#hasEnded) return;
    const cpuMs = (usage.user + usage.system) / 1_000;
    if (this.#judge.isStalled({ section: section.number, cpuMs }))
      this.#end("a line blocked it", section);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await this.#worker.terminate();
  }

  #receive(message: FromThread): void {
    if (this.#hasEnded) return;
    if (message.kind !== "ready") return this.#options.onMessage(message);
    this.#heapBytes = message.heapBytes;
    this.#isReady = true;
    this.#ready.resolve();
  }

  #end(reason: string, section: Section): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    void this.#worker.terminate();
    if (this.#isReady) this.#options.onEnd(reason, section);
    else this.#ready.reject(new Error(reason));
  }
}
