import { openConnection } from "./database-connection.ts";

/**
 * Runs `work` under an advisory lock of this name in the database; waits for the current holder. A
 * process that dies releases the lock.
 */
export async function withAdvisoryLock<Result>(
  url: string,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await openConnection({ url });
  // If the connection breaks, the lock is lost; the work then fails on its own when it needs the
  // database.
  client.on("error", () => {});
  try {
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
    return await work();
  } finally {
    await client.end();
  }
}
