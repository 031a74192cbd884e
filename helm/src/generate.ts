// Writes the chart's reference of values into its README; with --check it only fails when the
// reference is out of date.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { readValues, withValues } from "./values-reference.ts";

const chart = join(import.meta.dirname, "../nutrition-journal");
const readme = join(chart, "README.md");
const there = await readFile(readme, "utf8");
const wanted = withValues(there, readValues(await readFile(join(chart, "values.yaml"), "utf8")));
if (!process.argv.includes("--check")) await writeFile(readme, wanted);
else if (wanted !== there) {
  console.error(
    "helm/nutrition-journal/README.md is out of date: run npm run generate and commit the result.",
  );
  process.exitCode = 1;
}
