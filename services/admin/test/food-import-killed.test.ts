import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { writeFdcDownload } from "@nutrition/test-support/fdc-download";
import { expect, test } from "vitest";

import { FoodOperator } from "./food-operator.ts";
import { writeOffExport } from "./off-export.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
/** Heap size in MB: twice what the import needs. */
const HEAP_MIB = 56;

/** Starts an import in a separate process. */
function startImport({ environment }: FoodOperator, path: string, ...flags: string[]) {
  const args = [...flags, MAIN, "foods", "import", path];
  return spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
}

const KINDS = [
  {
    kind: "FoodData Central",
    file: "download",
    write: async (path: string, foods: number) => writeFdcDownload(path, foods),
    counts: { inserted: 11_760, superseded: 240, refused: 0 },
    /** Objects for its 440,000 rows would not fit, and the process would fail. */
    large: 40_000,
  },
  {
    kind: "Open Food Facts",
    file: "products.csv.gz",
    write: writeOffExport,
    counts: { inserted: 8_000, superseded: 0, refused: 4_000 },
    large: 120_000,
  },
];

test.each(KINDS)(
  "a killed import of $kind ends like an uninterrupted one",
  async (given) => {
    const { file, write, counts } = given;
    await using killed = await FoodOperator.start();
    await using whole = await FoodOperator.start();
    const download = join(killed.folder, file);
    await write(download, 12_000);
    const first = startImport(killed, download);
    while ((await killed.stored()) === "") await sleep(5);
    first.kill("SIGKILL");
    await once(first, "exit");
    const again = await killed.json("import", download);
    expect(again.unchanged).toBeGreaterThanOrEqual(1_000);
    expect(again.inserted).toBeGreaterThan(0);
    const report = await whole.json("import", download);
    expect(report).toMatchObject(counts);
    expect(again.inserted + again.unchanged).toBe(report.inserted);
    expect((await killed.stored()) === (await whole.stored())).toBe(true);
  },
  60_000,
);

test.each(KINDS)(
  "imports a large file of $kind in a small heap",
  async (given) => {
    const { file, write, large } = given;
    await using operator = await FoodOperator.start();
    const download = join(operator.folder, file);
    await write(download, large);
    const child = startImport(operator, download, `--max-old-space-size=${HEAP_MIB}`);
    const [exitCode] = await once(child, "close");
    expect(exitCode).toBe(0);
  },
  120_000,
);
