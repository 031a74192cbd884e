import fc from "fast-check";
import { expect, test } from "vitest";

import { csvLine } from "./csv.ts";

test("text that a spreadsheet would run begins with an apostrophe", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", " =1", "\u200b=1", "＝1"]) {
    expect(parse(csvLine([text]))).toEqual([[`'${text}`]]);
  }
});

test("figures, words and empty cells stay as they are", () => {
  expect(csvLine([1.5, "egg", null, false, "1-2"])).toBe("1.5,egg,,false,1-2\r\n");
});

test("any text comes back from a reader of CSV, and never as a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (cells) => {
      const [read = []] = parse(csvLine(cells));
      expect(read.map((cell) => cell.replace(/^'/, ""))).toEqual(
        cells.map((cell) => cell.replace(/^'/, "")),
      );
      for (const cell of read) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});

/** A reader of RFC 4180, in its plainest form. */
function parse(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let rest = text;
  while (rest !== "") {
    const [whole = "", quoted, plain, end] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    expect(whole, "the text is CSV").not.toBe("");
    cells.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (end !== ",") {
      lines.push(cells);
      cells = [];
    }
  }
  return lines;
}
