import { describe, expect, it } from "vitest";

import { descriptionChoices } from "./vocabulary.ts";

describe("of the words that describe a food, its name has most likely", () => {
  it.each([
    ["all of them", ["steamed", "green"], 0, ["steamed", "green"]],
    ["those that say something about the figures", ["brown", "grilled"], 1, ["brown"]],
    ["those that say what kind it is", ["green", "cooked"], 1, ["green"]],
    ["none at last", ["green", "cooked"], 3, []],
  ])("%s", (_, described, place, choice) => {
    expect(descriptionChoices(described)[place]).toEqual(choice);
  });
});
