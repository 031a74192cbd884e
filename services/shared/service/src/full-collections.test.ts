import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, it } from "vitest";

const MODULE = new URL("full-collections.ts", import.meta.url).href;
const LIMIT = /HeapController\] Limit: old size: (\d+) KB, new limit: (\d+) KB/g;

/** The output of a process that runs `script`. */
async function outputOf(script: string): Promise<string> {
  // As the launcher starts services.
  const flags = ["--max-semi-space-size=4", "--expose-gc", "--trace-gc-verbose"];
  const source = `import { disablePretenuring, spaceOutFullCollections, withOwnOptions } from "${MODULE}"; ${script}`;
  const args = [...flags, "--input-type=module", "-e", source];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

/** By how many MiB the heap may grow after each full collection of a process that runs `script`. */
async function growthsIn(script: string): Promise<number[]> {
  return [...(await outputOf(script)).matchAll(LIMIT)].map(
    ([, used, limit]) => (Number(limit) - Number(used)) / 1_024,
  );
}

it("short-lived objects are allocated in the young generation, even by code that also fills a cache", async () => {
  const output = await outputOf(`
    import { getHeapSpaceStatistics } from "node:v8";
    disablePretenuring();
    const create = (number) => ({ number, list: [number, number] });
    const oldBytes = () => getHeapSpaceStatistics()
      .find((space) => space.space_name === "old_space").space_used_size;
    const cached = [];
    let grown = 0;
    // V8 decides after some collections whether to pretenure.
    for (let round = 0; round < 4; round += 1) {
      for (let number = 0; number < 150_000; number += 1) cached.push(create(number));
      gc();
      const before = oldBytes();
      for (let number = 0; number < 100_000; number += 1) globalThis.last = create(number);
      grown = Math.max(grown, oldBytes() - before);
    }
    console.log("grown by", grown, cached.length);`);
  expect(Number(/grown by (-?\d+)/.exec(output)?.[1])).toBeLessThan(1e6);
});

it("V8 collects all garbage once per 32 MiB", async () => {
  const growths = await growthsIn("gc(); spaceOutFullCollections(32); gc();");
  expect(growths.at(-1)).toBeGreaterThan(28);
  expect(growths.at(-1)).toBeLessThan(48);
});

it("V8 collects as often when the process keeps more than at its start", async () => {
  const growths = await growthsIn(`
    import { PerformanceObserver } from "node:perf_hooks";
    spaceOutFullCollections(32);
    globalThis.kept = Array.from({ length: 64 }, () => new Array(2 ** 17).fill(0.5));
    const running = setInterval(() => {}, 1_000);
    const observer = new PerformanceObserver(() => {
      observer.disconnect();
      clearInterval(running);
      gc();
    });
    observer.observe({ entryTypes: ["gc"] });
    gc();`);
  expect(growths.at(-1)).toBeGreaterThan(28);
  expect(growths.at(-1)).toBeLessThan(48);
});

it("a thread that starts late finds the code that was compiled at install, and the options are then set again", async () => {
  const output = await outputOf(`
    import { cachedDataVersionTag } from "node:v8";
    const tags = [cachedDataVersionTag()];
    const note = () => tags.push(cachedDataVersionTag());
    disablePretenuring();
    spaceOutFullCollections(32);
    note();
    await withOwnOptions(async () => {
      gc();
      // Until the collection has been reported.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      note();
    });
    note();
    await withOwnOptions(() => Promise.reject(new Error("it does not start"))).catch(note);
    console.log("tags", JSON.stringify(tags));`);
  const [own, set, starting, started, failed] = JSON.parse(
    /tags (.*)/.exec(output)?.[1] ?? "",
  ) as number[];
  expect(starting).toBe(own);
  expect(set).not.toBe(own);
  expect(started).not.toBe(own);
  expect(failed).not.toBe(own);
});
