// Writes README's table of tools from the operations; with --check, only fails if it is out of date.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { TOOL_OPERATIONS } from "./operations/operations.ts";

const README = join(import.meta.dirname, "../../../README.md");
const TABLE = /^\| tool .*\n(?:\|.*\n)*/m;

const readme = await readFile(README, "utf8");
if (!TABLE.test(readme)) throw new Error("README.md has no table that begins with | tool");
const generated = readme.replace(TABLE, () => toolTable());
if (!process.argv.includes("--check")) await writeFile(README, generated);
else if (generated !== readme) {
  console.error(
    "README's table of tools is out of date: run npm run generate and commit the result.",
  );
  process.exitCode = 1;
}

/** Aligned, as the formatter wants it. */
function toolTable(): string {
  const head = { name: "tool", summary: "what it does" };
  const rows = TOOL_OPERATIONS.map(({ name, summary }) => ({ name: `\`${name}\``, summary }));
  const widthOf = (cell: keyof typeof head) =>
    Math.max(...[head, ...rows].map((row) => row[cell].length));
  const [names, summaries] = [widthOf("name"), widthOf("summary")];
  const line = { name: "-".repeat(names), summary: "-".repeat(summaries) };
  const lines = [head, line, ...rows].map(
    ({ name, summary }) => `| ${name.padEnd(names)} | ${summary.padEnd(summaries)} |\n`,
  );
  return lines.join("");
}
