/** Content of a cell; null and undefined are an empty cell. */
export type Cell = string | number | boolean | null | undefined;

/** The first character that a spreadsheet sees: it may drop white space and invisible ones. */
const FIRST_SEEN = /^[\s\p{C}\p{Z}]*(.)/u;
/** Characters that begin a formula, after NFKC normalization. */
const FORMULA = /^[=+\-@]/;
/** Some spreadsheets start a new cell after these. */
const LEADING_BREAK = /^[\t\r\n]/;
const BIDI_CONTROL = /\p{Bidi_Control}/gu;

/**
 * A line of CSV (RFC 4180), including its line break. Text that a spreadsheet might run as a
 * formula begins with `'`; numbers come from us and stay as they are. Characters that reorder the
 * surrounding text are written as `\u202E`, so that they deceive nobody and none is lost.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "string") return String(cell);
  const visible = cell.replace(BIDI_CONTROL, escaped);
  const text = mayBeFormula(cell) ? `'${visible}` : visible;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function mayBeFormula(text: string): boolean {
  const first = FIRST_SEEN.exec(text)?.[1] ?? "";
  return LEADING_BREAK.test(text) || FORMULA.test(first.normalize("NFKC"));
}

function escaped(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase();
  return `\\u${code.padStart(4, "0")}`;
}
