import { printable } from "@nutrition/core/printable";

/** One column of a table: its heading and the text of a row's cell. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => string | null];

/** Rows as aligned text under headings; `empty` when there are none. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const lines = [
    columns.map(([heading]) => heading.toUpperCase()),
    ...rows.map((row) => columns.map(([, cell]) => printable(cell(row)) || "-")),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
