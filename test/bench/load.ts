import { WorkerProcess } from "./worker-process.ts";

/** The requests, their concurrency and duration. */
export interface LoadOrder {
  baseUrl: string;
  /** Each request picks a key and a path at random, reproducibly by seed. */
  apiKeys: readonly string[];
  paths: readonly string[];
  /** Uses the keys in order instead, each once per round. */
  isInOrder?: boolean;
  /** If given, each request posts one of them. */
  posts?: { bodies: readonly string[]; headers: Readonly<Record<string, string>> };
  connections: number;
  /** Requests begin at this rate at most; as soon as the last is answered if absent. */
  requestsPerSecond?: number;
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

/** Requests documents over HTTP; waits for the last responses. */
export class LoadGenerator extends WorkerProcess<LoadOrder, LoadResult> {
  constructor() {
    super(new URL("load-worker.ts", import.meta.url));
  }
}
