const LIST_MARK =
  /^\s*(?:[-*\u2010-\u2015\u2022\u2023\u2043\u25e6\u00b7]\s+|\d{1,2}[.)]\s+)(?=\S)/u;

/** A line without the mark of a list before it: "- ", "• " or "1. ", which is no minus and no amount. */
export function withoutListMark(line: string): string {
  return line.replace(LIST_MARK, "");
}
