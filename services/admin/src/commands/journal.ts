import { countOf } from "@nutrition/core/count-of";
import { Argument, Option } from "commander";

import { getAccount } from "../accounts.ts";
import type { Command, Output } from "../command.ts";
import { UsageError, optionFlag, optionText } from "../command.ts";
import type { ExportFormat } from "../export/export-journal.ts";
import { EXPORT_FORMATS, exportJournal, printAll, writeFile } from "../export/export-journal.ts";
import { DIARY_FORMATS, importDiary } from "../import/import-diary.ts";
import type { ImportReport } from "../import/import-diary.ts";
import { RequiredOption, accountOption } from "../options.ts";
import { formatTable } from "../table.ts";

const exporting: Command = {
  summary: "Export everything about a person to a file.",
  details: [
    "Contains the profile, the settings, all entries with their items, all weights, and the audit record",
    "of every change of the last 400 days.",
  ],
  options: [
    accountOption,
    new RequiredOption(
      "--format <F>",
      "one JSON object, or one table with a row per item and weight; in the table, text that a spreadsheet would run as a formula begins with an apostrophe",
    ).choices(EXPORT_FORMATS),
    new Option("--output <FILE>", "a new file that only you can read; standard output by default"),
  ],
  positionals: [],
  async run(services, given, print) {
    const account = optionText(given, "account")!;
    const format = optionText(given, "format") as ExportFormat;
    const output = optionText(given, "output");
    const counts = { entry: 0, weight: 0, mutation: 0 };
    const pieces = exportJournal(services, { account, format }, counts);
    if (output === undefined) {
      if (format === "csv" && optionFlag(given, "json")) {
        throw new UsageError("--json requires --format json, or --output for the table.");
      }
      await printAll(print, pieces);
      return undefined;
    }
    await writeFile(output, pieces);
    const { entry: entries, weight: weights, mutation: mutations } = counts;
    const json = { file: output, format, entries, weights, mutations };
    const summary = `${countOf(entries, "entry", "entries")}, ${countOf(weights, "weight")} and ${countOf(mutations, "audit record")}`;
    return { json, text: `${output} contains the profile, the settings, ${summary}.` };
  },
};

const importing: Command = {
  summary: "Import another service's diary into a journal.",
  details: [
    "Importing a file again, or one that overlaps it, adds only what is new. Items edited or deleted",
    "after an import stay that way. Imports do not count against the limits on logging food.",
  ],
  options: [
    accountOption,
    new RequiredOption(
      "--from <SERVICE>",
      "the service; of myfitnesspal the Nutrition-Summary of its file export, one line per meal; of cronometer servings.csv, one line per food",
    ).choices(Object.keys(DIARY_FORMATS)),
    new Option("--dry-run", "show what would be imported and refused, without changing anything"),
  ],
  positionals: [new Argument("<FILE>", "the CSV file")],
  async run(services, given) {
    const source = optionText(given, "from")!;
    const dryRun = optionFlag(given, "dryRun") ?? false;
    const { id: accountId } = await getAccount(services.auth, optionText(given, "account")!);
    const path = given.positionals[0]!;
    const report = await importDiary(services.journal, { accountId, source, path, dryRun });
    return { json: report, text: reportText(report) } satisfies Output;
  },
};

function reportText(report: ImportReport): string {
  const { dry_run: isDry, imported, skipped, refused, refusals } = report;
  const range = report.first_date === null ? "" : ` (${report.first_date} to ${report.last_date})`;
  const parts = [
    `${isDry ? "Would import" : "Imported"} ${countOf(imported, "item")}${range}; ${countOf(skipped, "was", "were")} there already; ${countOf(refused, "row")} ${isDry ? "would be" : refused === 1 ? "was" : "were"} refused.`,
  ];
  if (isDry && report.preview.length > 0) {
    const columns = [
      ["date", (row: ImportReport["preview"][number]) => row.date],
      ["line", (row: ImportReport["preview"][number]) => row.description],
      ["kcal", (row: ImportReport["preview"][number]) => String(row.calories)],
    ] as const;
    parts.push(`The file begins:\n${formatTable(report.preview, columns, "")}`);
  }
  if (refusals.length > 0) {
    const columns = [
      ["row", (row: ImportReport["refusals"][number]) => String(row.line)],
      ["refused because", (row: ImportReport["refusals"][number]) => row.reason],
    ] as const;
    const more = refused > refusals.length ? `\nand ${refused - refusals.length} more` : "";
    parts.push(`${formatTable(refusals, columns, "")}${more}`);
  }
  if (isDry) parts.push("Nothing was changed. Run it without --dry-run to import.");
  return parts.join("\n\n");
}

/** Commands for a person's journal. */
export const journalCommands = { export: exporting, import: importing };
