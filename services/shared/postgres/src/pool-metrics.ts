import {
  dbClientConnectionCount,
  dbClientConnectionMax,
  dbClientConnectionPendingRequests,
} from "@nutrition/telemetry/metrics/standard";

/** Reports a pool's usage whenever metrics are read, until disposed. */
export function observePool(
  database: { readonly load: { open: number; idle: number; waiting: number } },
  { name, maxConnections }: { name: string; maxConnections: number },
): Disposable {
  const pool = { "db.client.connection.pool.name": name };
  const idle = { ...pool, "db.client.connection.state": "idle" };
  const used = { ...pool, "db.client.connection.state": "used" };
  const stack = new DisposableStack();
  stack.use(dbClientConnectionMax.observe(pool, () => maxConnections));
  stack.use(dbClientConnectionCount.observe(idle, () => database.load.idle));
  stack.use(dbClientConnectionCount.observe(used, () => database.load.open - database.load.idle));
  stack.use(dbClientConnectionPendingRequests.observe(pool, () => database.load.waiting));
  return stack;
}

/**
 * Reports the usage of a share of a pool as if it were a pool. Work that waits while the share has
 * free slots waits for other work of its account, not for a connection.
 */
export function observeShare(
  turns: { readonly load: { running: number; waiting: number } },
  { name, slots }: { name: string; slots: number },
): Disposable {
  const pool = { "db.client.connection.pool.name": name };
  const used = { ...pool, "db.client.connection.state": "used" };
  const waiting = () => (turns.load.running < slots ? 0 : turns.load.waiting);
  const stack = new DisposableStack();
  stack.use(dbClientConnectionMax.observe(pool, () => slots));
  stack.use(dbClientConnectionCount.observe(used, () => turns.load.running));
  stack.use(dbClientConnectionPendingRequests.observe(pool, waiting));
  return stack;
}
