// Writes the cards to the folder that the gateway reads; with --check, only fails if one is out of date.
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { renderCards } from "./card-html.ts";

const FOLDER = "services/gateway/cards";
const PATH = join(import.meta.dirname, "../../..", FOLDER);
const cards = await renderCards();
await (process.argv.includes("--check") ? check() : write());

async function check(): Promise<void> {
  const stale = new Set(cards.keys()).symmetricDifference(new Set(await filesThere()));
  for (const [name, html] of cards) {
    const there = await readFile(join(PATH, name), "utf8").catch(() => undefined);
    if (there !== html) stale.add(name);
  }
  if (stale.size === 0) return;
  console.error(
    `${FOLDER} is not up to date (${[...stale].join(", ")}): run npm run generate and commit the result.`,
  );
  process.exitCode = 1;
}

async function write(): Promise<void> {
  await rm(PATH, { recursive: true, force: true });
  await mkdir(PATH, { recursive: true });
  for (const [name, html] of cards) await writeFile(join(PATH, name), html);
}

function filesThere(): Promise<string[]> {
  return readdir(PATH).catch(() => []);
}
