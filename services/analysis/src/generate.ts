// Writes the fingerprints of the expressions that the reader may use; with --check, only fails if they are out of
// date. Refuses an expression for which a text exists that takes longer than in proportion to its length.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { backtrackingOf } from "./backtracking.ts";
import { compiledPatterns, fingerprintOf } from "./domain/text/patterns.ts";

const FILE = join(import.meta.dirname, "../foods/words/checked-patterns.json");

// Each file compiles its expressions when it is loaded; the service and its reader's thread load all of them.
await import("./service.ts");
await import("./reader/open-foods.ts");
await import("./reader/serve-reader.ts");

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
