import { describe, expect, it } from "vitest";

import { problemsOf } from "./food-check.ts";
import { COLUMNS, parseFoodFile } from "./food-file.ts";

const HEADER = COLUMNS.join("\t");
const ROW = {
  name: "toast",
  aliases: "toasted bread, white toast",
  kind: "food",
  kcal: "293",
  protein: "9",
  carbs: "54.4",
  fat: "4",
  sugar: "5.6",
  fiber: "",
  sodium_mg: "592",
  alcohol: "0",
  density: "",
  portions: "slice 25; serving 25",
  reference: "fndds2021:51101010",
};

function parse(...rows: Partial<typeof ROW>[]) {
  const lines = rows.map((row) => Object.values({ ...ROW, ...row }).join("\t"));
  return parseFoodFile([HEADER, ...lines].join("\n"), "bakery");
}

describe("a food file", () => {
  it("gives its rows; what is blank is unknown, not 0", () => {
    const [food] = parse({});
    expect(food).toMatchObject({ name: "toast", aliases: ["toasted bread", "white toast"] });
    expect(food?.per100Grams).toMatchObject({ calories: 293, sodium: 592, fiber: undefined });
    expect(food?.portions.get("slice")).toBe(25);
  });

  it.each([
    [{ kind: "meal" }, "kind of food"],
    [{ kcal: "" }, "kcal is missing"],
    [{ protein: "-1" }, "protein is no amount"],
    [{ portions: "slice" }, "no portion"],
  ])("with %o is refused", (row, message) => {
    expect(() => parse(row)).toThrow(message);
  });

  it("with other columns is refused", () => {
    expect(() => parseFoodFile("name\tkcal\n", "bakery")).toThrow("columns");
    expect(() => parseFoodFile(`${HEADER}\ntoast\t1`, "bakery")).toThrow("line 2");
  });
});

describe("the checker", () => {
  const problems = (...rows: Partial<typeof ROW>[]) => problemsOf(parse(...rows), new Map()).join();

  it("passes a sound row", () => {
    expect(problems({})).toBe("");
  });

  it.each([
    [{ kcal: "950" }, "out of range"],
    [{ kcal: "120" }, "do not agree"],
    [{ carbs: "120" }, "more than 100 g"],
    [{ sugar: "70" }, "exceed the carbohydrate"],
    [{ portions: "slice 25" }, "serving is missing"],
    [{ portions: "serving 9000" }, "out of range"],
    [{ portions: "serving 25; small 30; large 20" }, "small is not smaller"],
    [{ reference: "my kitchen" }, "known source"],
    [{ kind: "drink" }, "needs a density"],
  ])("finds what is wrong with %o", (row, problem) => {
    expect(problems(row)).toContain(problem);
  });

  it("finds a name that two foods have, plural or not", () => {
    expect(problems({}, { name: "bread", aliases: "White Toasts" })).toContain("also names toast");
  });

  it("counts the energy of alcohol", () => {
    const vodka = { kcal: "231", protein: "0", carbs: "0", fat: "0", sugar: "0", alcohol: "33.4" };
    expect(problems(vodka)).toBe("");
    expect(problems({ ...vodka, alcohol: "0" })).toContain("do not agree");
  });
});
