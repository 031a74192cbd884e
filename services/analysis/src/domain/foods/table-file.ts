/** A row of a table by column. */
export type Row<Column extends string> = Readonly<Record<Column, string>>;

/** What a table file holds: the rows that could be read, and a sentence for each mistake. */
export interface TableFile<Read> {
  readonly rows: readonly Read[];
  readonly problems: readonly string[];
}

/** Where a row stands, and how to report a mistake in it. A row with a mistake is left out. */
export interface RowContext {
  /** Such as `bakery.tsv:12`. */
  readonly place: string;
  readonly refuse: (problem: string) => void;
}

/**
 * Reads a tab-separated file without quotes whose first line names the columns. Each mistake is
 * reported with the file, the line and the row's first cell.
 */
export function readTableFile<Column extends string, Read>(
  text: string,
  { file, columns }: { file: string; columns: readonly Column[] },
  readRow: (row: Row<Column>, context: RowContext) => Read,
): TableFile<Read> {
  const [first, ...lines] = text.trimEnd().split("\n");
  if (first !== columns.join("\t")) {
    return { rows: [], problems: [`${file}:1: the columns must be ${columns.join(", ")}.`] };
  }
  const rows: Read[] = [];
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    const place = `${file}:${index + 2}`;
    const cells = line.split("\t");
    if (cells.length !== columns.length) {
      problems.push(`${place}: ${cells.length} columns; there must be ${columns.length}.`);
      continue;
    }
    const before = problems.length;
    const refuse = (problem: string) => problems.push(`${place}: ${cells[0]}: ${problem}.`);
    const cellsByColumn = columns.map((column, at) => [column, cells[at]]);
    const read = readRow(Object.fromEntries(cellsByColumn) as Row<Column>, { place, refuse });
    if (problems.length === before) rows.push(read);
  }
  return { rows, problems };
}

const AMOUNT = /^\s*(\D+) (\d+(?:\.\d+)?)\s*$/u;

/** Reads names with grams, such as `slice 28; cup 120`; undefined unless all are well formed. */
export function readAmounts(text: string): [name: string, grams: number][] | undefined {
  const matches = text.split(";").map((part) => AMOUNT.exec(part));
  const amounts = matches.map((match): [string, number] => [match?.[1] ?? "", Number(match?.[2])]);
  return amounts.every(([, grams]) => grams > 0) ? amounts : undefined;
}

/** Splits a comma-separated list. */
export function readList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
