import { el } from "./dom.ts";
import type { Child } from "./dom.ts";

/** A table of figures; the first cell of each row is its heading. */
export function table(head: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": head.join(", ") },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          head.map((name) => el("th", { scope: "col" }, name)),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map(([first, ...cells]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, first),
            cells.map((cell) => el("td", {}, cell)),
          ),
        ),
      ),
    ),
  );
}
