import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { writeFdcDownload } from "../../../test/bench/search/fdc-download.ts";
import { FoodOperator } from "./food-operator.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
/** Twice what the import needs. */
const HEAP_MIB = 56;

/** Starts an import in a process of its own. */
function startImport({ environment }: FoodOperator, path: string, ...flags: string[]) {
  const args = [...flags, MAIN, "foods", "import", path];
  return spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
}

test("an import that was killed and is started again ends as one that was not", async () => {
  await using killed = await FoodOperator.start();
  await using whole = await FoodOperator.start();
  const download = join(killed.folder, "download");
  writeFdcDownload(download, 12_000);
  const first = startImport(killed, download);
  while ((await killed.stored()) === "") await sleep(5);
  first.kill("SIGKILL");
  await once(first, "exit");
  const again = await killed.json("import", download);
  expect(again.unchanged).toBeGreaterThanOrEqual(1_000);
  expect(again.inserted).toBeGreaterThan(0);
  const report = await whole.json("import", download);
  expect(report).toMatchObject({ inserted: 11_760, superseded: 240, refused: 0 });
  expect(again.inserted + again.unchanged).toBe(report.inserted);
  expect((await killed.stored()) === (await whole.stored())).toBe(true);
}, 60_000);

test("a large file is imported in a small heap", async () => {
  await using operator = await FoodOperator.start();
  const download = join(operator.folder, "download");
  writeFdcDownload(download, 40_000);
  // The file's 440,000 rows as objects would not fit, and the process would end with an error.
  const child = startImport(operator, download, `--max-old-space-size=${HEAP_MIB}`);
  const [exitCode] = await once(child, "close");
  expect(exitCode).toBe(0);
}, 120_000);
