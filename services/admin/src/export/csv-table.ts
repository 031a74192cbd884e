import type { Cell } from "@nutrition/core/csv";
import { csvLine } from "@nutrition/core/csv";
import { NUTRIENT_KEYS } from "@nutrition/core/nutrients";

import type { Document, ExportLine } from "./export-lines.ts";

/** Figures and texts have columns; everything else is JSON in the last column. */
const COLUMNS = [
  "type",
  "id",
  "entry_id",
  "date",
  "line_index",
  "description",
  "detailed_description",
  ...NUTRIENT_KEYS,
  "is_water_entry",
  "water_milliliters",
  "confidence_score",
  "ai_comment",
  "weight_kg",
  "recorded_at",
  "source",
  "notes",
  "created_at",
  "updated_at",
  "document",
] as const;

/**
 * Exports everything about a person as one table, in pieces: a row per item and weight, and a row
 * with a document for the profile, the settings and each audit record. RFC 4180.
 */
export async function* csvTable(
  profile: Document,
  lines: AsyncIterable<ExportLine>,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  yield csvRow({ type: "profile", id: profile["id"], document: JSON.stringify(profile) });
  for await (const line of lines) yield rowsOf(line).map(csvRow).join("");
}

function rowsOf(line: ExportLine): Document[] {
  switch (line.type) {
    case "settings":
      return [{ type: "settings", document: JSON.stringify(line.settings) }];
    case "entry": {
      const { id, date, items } = line.entry;
      return items.map((item) => ({ ...item, type: "item", entry_id: id, date }));
    }
    case "weight": {
      const date = line.weight["recorded_date"];
      return [{ ...line.weight, type: "weight", date }];
    }
    case "mutation": {
      const { id, entry_id, date, created_at } = line.mutation;
      const document = JSON.stringify(line.mutation);
      return [{ type: "mutation", id, entry_id, date, created_at, document }];
    }
  }
}

function csvRow(row: Document): string {
  return csvLine(COLUMNS.map((column) => row[column] as Cell));
}
