import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** What to ask for, how hard and how long. */
export interface LoadOrder {
  baseUrl: string;
  /** Each request picks one of both at random, the same for the same seed. */
  apiKeys: readonly string[];
  paths: readonly string[];
  /** When given, each request posts one of them as it is. */
  posts?: { bodies: readonly string[]; headers: Readonly<Record<string, string>> };
  connections: number;
  durationMs: number;
  seed: number;
}

export interface LoadResult {
  /** Requests answered with 200 and a body. */
  answers: number;
  /** All other requests. */
  failures: number;
  firstFailure: string | undefined;
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
}

/** Asks for documents over HTTP from a process of its own. */
export class LoadGenerator implements Disposable {
  readonly #child: ChildProcess;
  readonly #ended = new AbortController();

  constructor() {
    this.#child = fork(new URL("load-worker.ts", import.meta.url));
    this.#child.once("exit", () => this.#ended.abort(new Error("The load's process has ended.")));
  }

  /** Runs one load to its end; the last answers are waited for. Rejects when the signal aborts. */
  async run(order: LoadOrder, signal: AbortSignal): Promise<LoadResult> {
    const either = AbortSignal.any([signal, this.#ended.signal]);
    const answered = once(this.#child, "message", { signal: either });
    this.#child.send(order);
    const [result] = (await answered) as [LoadResult];
    return result;
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
