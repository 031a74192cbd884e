import { describe, expect, it } from "vitest";

import { openTable } from "../../../test/reader.ts";
import { remarksOfLines } from "./line-remarks.ts";

const { reader } = await openTable();

const own = (lines: readonly string[], text: string) =>
  remarksOfLines(lines, text, reader).map((remark) => remark.own);
const reaching = (lines: readonly string[], text: string) =>
  remarksOfLines(lines, text, reader).map((remark) => remark.reaching);

describe("remarks about several lines", () => {
  const lines = ["2 slices of toast", "rice with chicken", "latte"];

  it("go to the line that they are about", () => {
    const text = "The latte was large. The toast had butter; rice was 200 g";
    const remarks = ["The toast had butter", "rice was 200 g", "The latte was large"];
    expect(own(lines, text)).toEqual(remarks);
    expect(reaching(lines, text)).toEqual(remarks);
  });

  it("that fit several lines are passed to those, and ones that fit none to all", () => {
    expect(own(lines, "it was delicious")).toEqual(["", "", ""]);
    expect(reaching(lines, "it was delicious; the latte was large")).toEqual([
      "it was delicious",
      "it was delicious",
      "it was delicious; the latte was large",
    ]);
    expect(own(["rice", "rice and beans", "latte"], "rice was cold")).toEqual(["", "", ""]);
    expect(reaching(["rice", "rice and beans", "latte"], "rice was cold")).toEqual([
      "rice was cold",
      "rice was cold",
      "",
    ]);
  });

  it("go to the line that has their food by another name", () => {
    expect(own(["oatmeal", "coffee"], "oats cooked in water")).toEqual([
      "oats cooked in water",
      "",
    ]);
    expect(reaching(["oatmeal", "coffee"], "oats cooked in water")).toEqual([
      "oats cooked in water",
      "",
    ]);
    expect(own(["coffee", "porridge"], "oats with water; the americano was large")).toEqual([
      "the americano was large",
      "oats with water",
    ]);
  });

  it("go to the line of what they name first, and not of what goes with it", () => {
    expect(own(["toast", "butter"], "The toast had butter")).toEqual(["The toast had butter", ""]);
  });

  it("all belong to the line if there is only one", () => {
    const text = "it was 300 ml";
    expect(remarksOfLines(["latte"], text, reader)).toEqual([{ own: text, reaching: text }]);
  });
});
