/** What a cell may hold; null and undefined are an empty cell. */
export type Cell = string | number | boolean | null | undefined;

/** The first character that a spreadsheet sees: it may drop white space and invisible ones. */
const FIRST_SEEN = /^[\s\p{C}\p{Z}]*(.)/u;
/** What begins a formula, in the form that NFKC gives it. */
const FORMULA = /^[=+\-@]/;
/** Some spreadsheets start a cell anew after these. */
const LEADING_BREAK = /^[\t\r\n]/;
const BIDI_CONTROL = /\p{Bidi_Control}/gu;

/**
 * A line of CSV (RFC 4180), its line break included. Text that a spreadsheet might run as a formula
 * begins with `'`; numbers are figures of our own and stay as they are. Characters that reorder the
 * text around them are written as `\u202E`, so that they deceive nobody and none is lost.
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
