import { describe, expect, it } from "vitest";

import { exampleFood, WORDS } from "../../../test/example-foods.ts";
import { confidenceOf } from "./confidence.ts";
import { FoodIndex } from "../matching/food-index.ts";
import { LineReader } from "../line-reader.ts";

const PORTIONS = { serving: 150, each: 150, cup: 140 };
const FOODS = [
  exampleFood("pork chop", { group: "meat", portions: PORTIONS }),
  exampleFood("plum", { group: "fruit", portions: PORTIONS }),
  exampleFood("goulash", { group: "dishes", portions: PORTIONS }),
  exampleFood("leek", { group: "vegetables", portions: PORTIONS }),
];
const reader = new LineReader(new FoodIndex(FOODS, WORDS));
const confidence = (line: string) => confidenceOf(reader.read(line));

describe("the confidence of an estimate is lower", () => {
  it("for pieces of a food that is sold in any size, unless they are weighed", () => {
    expect(confidence("2 pork chops")).toBeLessThan(confidence("2 plums"));
    expect(confidence("300 g pork chop")).toBe(confidence("300 g plums"));
    expect(confidence("pork chop")).toBe(confidence("plum"));
  });

  it("for a dish, which every kitchen cooks in its own way", () => {
    expect(confidence("300 g goulash")).toBeLessThan(confidence("300 g plums"));
  });

  it("for a vegetable that may have been cooked in fat", () => {
    expect(confidence("1 cup leek")).toBeLessThan(confidence("1 cup plum"));
  });

  it("if one of several foods has no amount", () => {
    expect(confidence("2 plums and leek")).toBeLessThan(confidence("2 plums and 2 leeks"));
  });

  it("if a part was not understood", () => {
    expect(confidence("2 plums and a flurbish")).toBeLessThan(confidence("2 plums"));
  });
});
