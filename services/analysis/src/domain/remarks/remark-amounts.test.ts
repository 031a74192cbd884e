import { describe, expect, it } from "vitest";

import { findStatedPortion } from "./remark-amounts.ts";

describe("a stated portion", () => {
  it.each([
    ["it was 300 g", "300 g"],
    ["not 300 g but 200 g", "200 g"],
    ["200 ml instead of 300 ml", "200 ml"],
    ["about 1.5 kg, home made", "1.5 kg"],
  ])("%s", (text, portion) => {
    expect(findStatedPortion(text)).toBe(portion);
  });

  it.each(["20 g of protein", "from the bakery", "not 300 g"])("there is none in: %s", (text) => {
    expect(findStatedPortion(text)).toBeUndefined();
  });
});
