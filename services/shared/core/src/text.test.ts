import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { characterCount, nonEmptyLines } from "./text.ts";

describe("characterCount", () => {
  it("counts code points after NFC", () => {
    expect(characterCount("café")).toBe(4);
    expect(characterCount("cafe\u0301")).toBe(4);
    expect(characterCount("🍎🍎")).toBe(2);
    expect(characterCount("")).toBe(0);
  });
});

describe("nonEmptyLines", () => {
  it.each(["\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f"])(
    "splits at %j",
    (lineBreak) => expect(nonEmptyLines(`egg${lineBreak} toast `)).toEqual(["egg", "toast"]),
  );

  it("never splits at a comma", () => {
    expect(nonEmptyLines("rice, beans\n\n  \ntea")).toEqual(["rice, beans", "tea"]);
  });

  it("leaves no line break inside a line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) =>
        nonEmptyLines(text).every((line) => nonEmptyLines(line).length === 1),
      ),
    );
  });
});
