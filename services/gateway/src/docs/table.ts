import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** Cells of a row; text is escaped. */
export type Row = readonly (string | number | Markup)[];

/** A table; omit the headings for self-explanatory pairs. */
export function table(headings: readonly string[], rows: readonly Row[]): Markup {
  const body = rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${cell}</td>`)}</tr>`);
  const titles = headings.map((heading) => markup`<th scope="col">${heading}</th>`);
  const head = headings.length > 0 ? markup`<thead><tr>${titles}</tr></thead>` : "";
  return markup`<table>${head}<tbody>${body}</tbody></table>`;
}

/** A name in the public interface, as code. */
export function code(name: string): Markup {
  return markup`<code>${name}</code>`;
}
