import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, it } from "vitest";

const MODULE = new URL("full-collections.ts", import.meta.url).href;
const SCRIPT = `
  import { spaceOutFullCollections } from "${MODULE}";
  gc();
  spaceOutFullCollections();
  gc();`;
const LIMIT = /HeapController\] Limit: old size: (\d+) KB, new limit: (\d+) KB/g;

it("V8 collects all garbage once per 64 MiB", async () => {
  // As the launcher starts services.
  const flags = ["--max-semi-space-size=4", "--expose-gc", "--trace-gc-verbose"];
  const args = [...flags, "--input-type=module", "-e", SCRIPT];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const growths = [...stdout.matchAll(LIMIT)].map(
    ([, used, limit]) => Number(limit) - Number(used),
  );
  const [before, after] = growths.slice(-2).map((kib) => kib / 1_024);
  expect(before).toBeLessThan(32);
  expect(after).toBeGreaterThan(60);
  expect(after).toBeLessThan(96);
});
