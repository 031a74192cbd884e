// Writes the fingerprints of the expressions that the reader may use; with --check, only fails if they are out of
// date. Refuses an expression for which a text exists that takes longer than in proportion to its length.
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { compiledPatterns, fingerprintOf } from "../../src/domain/text/patterns.ts";
import { backtrackingOf } from "./backtracking.ts";

const DOMAIN = join(import.meta.dirname, "../../src/domain");
const FILE = join(import.meta.dirname, "checked-patterns.json");

// Each file compiles its own expressions when it is loaded.
const files = globSync("**/*.ts", { cwd: DOMAIN }).filter((file) => !file.endsWith(".test.ts"));
for (const file of files) await import(join(DOMAIN, file));

const refused = compiledPatterns.flatMap((pattern) => {
  const reason = backtrackingOf(pattern);
  return reason === undefined ? [] : `${pattern}\n  ${reason}`;
});
if (refused.length > 0) {
  fail(
    `These expressions can backtrack:\n${refused.join("\n")}\nWrite them so that only one way fits.`,
  );
} else {
  const fingerprints = new Set(compiledPatterns.map(fingerprintOf));
  const generated = `${JSON.stringify([...fingerprints].sort(), null, 2)}\n`;
  if (!process.argv.includes("--check")) await writeFile(FILE, generated);
  else if (generated !== (await readFile(FILE, "utf8"))) {
    fail("checked-patterns.json is out of date: run npm run generate and commit the result.");
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
