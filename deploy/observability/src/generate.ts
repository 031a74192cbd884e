// Writes the generated files; with --check it only fails when one is out of date.
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { generatedFiles } from "./generated-files.ts";

const ROOT = join(import.meta.dirname, "../../..");
/**
 * Whole folders of generated files. One is in the chart, because a chart cannot include files from
 * outside.
 */
const FOLDERS = ["deploy/observability/generated", "helm/nutrition-journal/files/monitoring"];
const generated = generatedFiles();
for (const folder of FOLDERS) await (process.argv.includes("--check") ? check : write)(folder);

async function check(folder: string): Promise<void> {
  const stale = new Set(generated.keys()).symmetricDifference(new Set(await filesIn(folder)));
  for (const [path, text] of generated) {
    const existing = await readFile(join(ROOT, folder, path), "utf8").catch(() => undefined);
    if (existing !== text) stale.add(path);
  }
  if (stale.size === 0) return;
  console.error(
    `${folder} is out of date (${[...stale].join(", ")}): run npm run generate and commit the result.`,
  );
  process.exitCode = 1;
}

async function write(folder: string): Promise<void> {
  await rm(join(ROOT, folder), { recursive: true, force: true });
  for (const [path, text] of generated) {
    const file = join(ROOT, folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const whole = join(ROOT, folder);
  const entries = await readdir(whole, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(whole.length + 1));
}
