import { countOf } from "@nutrition/core/count-of";
import { Argument, Option } from "commander";

import type { Command } from "../command.ts";
import { optionFlag, optionText } from "../command.ts";
import type { FoodImportReport } from "../foods/import-foods.ts";
import { importFoodFile } from "../foods/import-foods.ts";
import { createProgress, NO_PROGRESS } from "../foods/progress.ts";
import { formatTable } from "../table.ts";

/** Imports a published food table into the search. */
export const importFoods: Command = {
  summary: "Import foods from USDA or Open Food Facts into the food tables.",
  details: [
    "FILE.zip       a CSV download from FoodData Central (fdc.nal.usda.gov/download-datasets): SR Legacy,",
    "               Foundation, FNDDS or Branded",
    "FOLDER         the same, unpacked: the folder of the CSV files, or its parent",
    "FILE.csv.gz    the CSV export of Open Food Facts (openfoodfacts.org/data), under the ODbL; or .csv",
    "FILE.jsonl.gz  foods as JSON, one per line: id, name, per100g, portions",
    "",
    "Stored foods are not imported twice: after a failure, run the same command again. Branded foods",
    "are found only by searches that name the brand, or by their barcode.",
  ],
  options: [
    new Option(
      "--rejects <FILE>",
      "write all refused rows to it as JSON lines; the first ones are always printed",
    ),
  ],
  positionals: [new Argument("<FILE|FOLDER>", "the food table, in one of the forms below")],
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
  const stored = `Stored ${countOf(inserted, "new food")} and ${countOf(updated, "changed one")}; ${countOf(unchanged, "was", "were")} already there.`;
  const notes = [
    leftOut > 0
      ? `${countOf(leftOut, "row is not a food", "rows are not foods")}, such as samples.`
      : "",
    superseded > 0
      ? `${countOf(superseded, "label has", "labels have")} a newer one of the same barcode.`
      : "",
  ].filter((note) => note !== "");
  const first = [stored, ...notes].join(" ");
  return [first, report.licence, refused > 0 ? refusedText(report) : null]
    .filter((part) => part !== null)
    .join("\n\n");
}

/** The refused rows if there are few; otherwise the number of rows per reason. */
function refusedText({ refused, refusals, refused_because: reasons }: FoodImportReport): string {
  const title = `${countOf(refused, "was", "were")} refused`;
  if (refused === refusals.length) {
    const columns = [
      ["food", (row: FoodImportReport["refusals"][number]) => row.reference],
      ["refused because", (row: FoodImportReport["refusals"][number]) => row.reason],
    ] as const;
    return `${title}:\n${formatTable(refusals, columns, "")}`;
  }
  const columns = [
    ["foods", ([, count]: [string, number]) => String(count)],
    ["refused because", ([reason]: [string, number]) => reason],
  ] as const;
  const counts = Object.entries(reasons).toSorted((one, other) => other[1] - one[1]);
  return `${title}; --rejects FILE writes all of them:\n${formatTable(counts, columns, "")}`;
}
