import type { Document, ExportLine } from "./export-lines.ts";

/** Figures and texts have columns; what has no place in a table is JSON in the last one. */
const COLUMNS = [
  "type",
  "id",
  "entry_id",
  "date",
  "line_index",
  "description",
  "detailed_description",
  "calories",
  "protein",
  "carbs",
  "fat",
  "sugar",
  "fiber",
  "sodium",
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
 * One table of everything about a person, in pieces: a row an item and a weight, and a row with a
 * document for the profile, the settings and each audit record. RFC 4180.
 */
export async function* csvTable(
  profile: Document,
  lines: AsyncIterable<ExportLine>,
): AsyncGenerator<string> {
  yield csvRow(Object.fromEntries(COLUMNS.map((column) => [column, column])));
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
  return `${COLUMNS.map((column) => csvCell(row[column])).join(",")}\r\n`;
}

// Spreadsheets run what begins with one of these; an apostrophe makes it text.
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
