/** Addresses of the contenders' stores. */
export interface WorkerPlace {
  databaseUrl: string;
  redisUrl: string;
}

export type ContenderName =
  "ours" | "flooded" | "transactions" | "flexible-postgres" | "flexible-redis";

/** Load for one contender. */
export interface WorkerOrder {
  /** Concurrent callers; each sends its next request after the answer. */
  callers: number;
  durationMs: number;
  /** Subjects asked about in turn. */
  subjects: readonly string[];
}

export interface WorkerResult {
  decisions: number;
  allowed: number;
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
}
