import { countOf } from "@nutrition/core/count-of";

import type { Command } from "../command.ts";
import { optionFlag, optionText } from "../command.ts";
import type { FoodImportReport } from "../foods/import-foods.ts";
import { importFoodFile } from "../foods/import-foods.ts";
import { createProgress, NO_PROGRESS } from "../foods/progress.ts";
import { formatTable } from "../table.ts";

/** Imports a published food table into the search. */
export const importFoods: Command = {
  synopsis: "FILE.zip|FOLDER|FILE.jsonl.gz [--rejects FILE]",
  summary: "Bring USDA's foods into the food tables.",
  details: [
    "FILE.zip       a CSV download of FoodData Central (fdc.nal.usda.gov/download-datasets): SR Legacy,",
    "               Foundation, FNDDS or Branded",
    "FOLDER         the same, unpacked: the folder of the CSV files, or the one that it lies in",
    "FILE.jsonl.gz  foods as JSON, a line each: id, name, per100g, portions",
    "--rejects FILE all rows that were refused, as JSON lines; the first are printed in any case",
    "",
    "What is stored already is left alone: after a failure run the same command again. Foods of brands",
    "are found only by searches that name the brand.",
  ],
  options: { rejects: { type: "string" } },
  positionals: ["FILE"],
  async run(services, given) {
    const progress = optionFlag(given, "json") ? NO_PROGRESS : createProgress(process.stderr);
    const rejects = optionText(given, "rejects");
    const path = given.positionals[0]!;
    const report = await importFoodFile(services.analysis, { path, rejects, progress });
    return { json: report, text: reportText(report) };
  },
};

function reportText(report: FoodImportReport): string {
  const { inserted, updated, unchanged, left_out: leftOut, superseded, refused } = report;
  const stored = `Stored ${countOf(inserted, "new food")} and ${countOf(updated, "changed one")}; ${countOf(unchanged, "was", "were")} there already.`;
  const notes = [
    leftOut > 0
      ? `${countOf(leftOut, "row is no food", "rows are no foods")} but samples and the like.`
      : "",
    superseded > 0
      ? `${countOf(superseded, "label has", "labels have")} a newer one of the same barcode.`
      : "",
  ].filter((note) => note !== "");
  const first = [stored, ...notes].join(" ");
  if (refused === 0) return first;
  const columns = [
    ["food", (row: FoodImportReport["refusals"][number]) => row.reference],
    ["refused because", (row: FoodImportReport["refusals"][number]) => row.reason],
  ] as const;
  const more = refused - report.refusals.length;
  const rest = more > 0 ? `\nand ${more} more; --rejects FILE writes all of them.` : "";
  return `${first}\n\n${countOf(refused, "was", "were")} refused:\n${formatTable(report.refusals, columns, "")}${rest}`;
}
