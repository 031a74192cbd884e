import { describe, expect, it } from "vitest";

import { exampleReader } from "../../test/example-foods.ts";
import { remarksOfLines } from "./line-remarks.ts";

const reader = exampleReader();

describe("remarks about several lines", () => {
  const lines = ["2 slices of toast", "rice with chicken", "latte"];

  it("go to the line that they are about", () => {
    const text = "The latte was large. The toast had butter; rice was 200 g";
    expect(remarksOfLines(lines, text, reader)).toEqual([
      "The toast had butter",
      "rice was 200 g",
      "The latte was large",
    ]);
  });

  it("that fit none or several go nowhere", () => {
    expect(remarksOfLines(lines, "it was delicious", reader)).toEqual(["", "", ""]);
    expect(remarksOfLines(["rice", "rice and beans"], "rice was cold", reader)).toEqual(["", ""]);
  });

  it("about one line are all about it", () => {
    expect(remarksOfLines(["latte"], "it was 300 ml", reader)).toEqual(["it was 300 ml"]);
  });
});
