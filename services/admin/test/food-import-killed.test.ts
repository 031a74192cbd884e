import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { writeFdcDownload } from "../../../test/bench/search/fdc-download.ts";
import { FoodOperator } from "./food-operator.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const TELL_MEMORY =
  "data:text/javascript,process.on('exit',()=>console.error('KiB',process.resourceUsage().maxRSS))";

/** Starts an import in a process of its own. */
function startImport({ environment }: FoodOperator, path: string) {
  const args = ["--import", TELL_MEMORY, MAIN, "foods", "import", path];
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

test("a large file is imported in little memory", async () => {
  await using operator = await FoodOperator.start();
  const download = join(operator.folder, "download");
  writeFdcDownload(download, 40_000);
  const child = startImport(operator, download);
  let output = "";
  child.stderr.on("data", (text: Buffer) => (output += text.toString()));
  const [exitCode] = await once(child, "close");
  expect(exitCode).toBe(0);
  // Of this, some 130 MiB are Node.js and the code; the file's 440,000 rows would take more as objects.
  expect(Number(/KiB (\d+)/.exec(output)?.[1])).toBeLessThan(230 * 1024);
}, 120_000);
