import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 50;
/** As much as PostgreSQL flushes for a few small commits. */
const PAGE = Buffer.alloc(8_192);

/**
 * Runs `work` while flushing a page to the disk of `folder` again and again, as commits do. Also returns the
 * duration of the longest flush: writes of other programs, or of the host, can delay every commit.
 */
export async function whileProbingDisk<Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; longestFlushMs: number }> {
  const ended = new AbortController();
  const [result, longestFlushMs] = await Promise.all([
    work().finally(() => ended.abort()),
    longestFlush(folder, ended.signal),
  ]);
  return { result, longestFlushMs };
}

async function longestFlush(folder: string, ended: AbortSignal): Promise<number> {
  const path = join(folder, "disk-probe");
  await using file = await open(path, "w");
  let longestMs = 0;
  while (!ended.aborted) {
    const startedMs = performance.now();
    await file.write(PAGE, 0, PAGE.length, 0);
    await file.datasync();
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    await sleep(EVERY_MS, undefined, { signal: ended }).catch(() => {});
  }
  await rm(path, { force: true });
  return longestMs;
}
