import fc from "fast-check";
import { expect, test } from "vitest";

import { csvLine } from "./csv.ts";

test.each([
  ["=1+1"],
  ["+1"],
  ["-1"],
  ["@SUM(1)"],
  ["\t=1"],
  ["\rcmd"],
  ["\ncmd"],
  [" =HYPERLINK(1)"],
  ["\u00a0\u3000=1"],
  ["\u0000\u001b=1"],
  ["\u200b=1"],
  ["\ufeff+1"],
  ["\uff1d1"],
  ["\uff0b1"],
  ["\uff0d1"],
  ["\uff20SUM(1)"],
  ["\ufe661"],
])("escapes text that a spreadsheet might run with an apostrophe: %j", (text) => {
  expect(parse(csvLine([text]))).toEqual([[`'${text}`]]);
});

test("leaves figures, words and empty cells unchanged", () => {
  const cells = [1.5, -70.25, "egg", null, undefined, false, "1-2", "a=b", ""];
  expect(csvLine(cells)).toBe("1.5,-70.25,egg,,,false,1-2,a=b,\r\n");
});

test("writes out characters that reorder text", () => {
  expect(csvLine(["\u202egge\u2069 \u200f\u061c"])).toBe("\\u202Egge\\u2069 \\u200F\\u061C\r\n");
  expect(csvLine(["\u202e=1"])).toBe("'\\u202E=1\r\n");
});

const anyText = fc.array(
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.constantFrom("=", "+", "-", "@", "\uff1d", " ", "\t", "\r\n", '"', ",", "\u202e", "\u200b"),
  ),
);

test("any text survives a round trip, and never becomes a formula", () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1 }), (texts) => {
      const cells = texts.map((parts) => parts.join(""));
      const [read = []] = parse(csvLine(cells));
      const written = cells.map((cell) =>
        cell.replace(/\p{Bidi_Control}/gu, (character) => {
          return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
        }),
      );
      for (const [index, cell] of read.entries()) {
        expect([written[index], `'${written[index]}`]).toContain(cell);
        expect(cell).not.toMatch(/^[\t\r\n]/);
        expect(cell.replace(/^[\s\p{C}\p{Z}]+/u, "").normalize("NFKC")).not.toMatch(/^[=+\-@]/);
        expect(cell).not.toMatch(/\p{Bidi_Control}/u);
      }
      expect(read.length).toBe(cells.length);
    }),
  );
});

/** A minimal RFC 4180 reader. */
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
