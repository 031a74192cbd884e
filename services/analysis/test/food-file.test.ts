import { describe, expect, it } from "vitest";

import { disagreementsOf } from "./food-check-reference.ts";
import { problemsOf } from "./food-check.ts";
import { readFoods } from "../src/domain/foods/food-tables.ts";

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

const HEADER = Object.keys(ROW).join("\t");

function fileOf(...rows: Partial<typeof ROW>[]): string {
  const lines = rows.map((row) => Object.values({ ...ROW, ...row }).join("\t"));
  return [HEADER, ...lines].join("\n");
}

function read(...rows: Partial<typeof ROW>[]) {
  return readFoods(fileOf(...rows), "bakery");
}

describe("a food file", () => {
  it("is parsed into rows, in which blank cells are unknown, not 0", () => {
    const food = read({}).rows[0]?.food;
    expect(food).toMatchObject({ name: "toast", aliases: ["toasted bread", "white toast"] });
    expect(food?.per100Grams).toMatchObject({ calories: 293, sodium: 592, fiber: undefined });
    expect(food?.portions.get("slice")).toBe(25);
  });

  it.each([
    [{ kind: "meal" }, "kind must be"],
    [{ kcal: "" }, "kcal must not be blank"],
    [{ protein: "-1" }, "protein must be a number"],
    [{ sodium_mg: "1e3" }, "sodium_mg must be a number"],
    [{ portions: "slice" }, "portions must look like"],
    [{ portions: "slice 1; slice 2" }, "different names"],
    [{ name: "" }, "name must not be blank"],
  ])("with %o is refused", (row, message) => {
    expect(read(row)).toEqual({ rows: [], problems: [expect.stringContaining(message)] });
  });

  it("has every mistake reported at once, with its line", () => {
    const { rows, problems } = read({ kind: "meal", kcal: "" }, {}, { density: "-2" });
    expect(rows.map(({ place }) => place)).toEqual(["bakery.tsv:3"]);
    expect(problems.map((problem) => problem.slice(0, 12))).toEqual([
      "bakery.tsv:2",
      "bakery.tsv:2",
      "bakery.tsv:4",
    ]);
  });

  it("with unknown columns is refused", () => {
    const problem = (text: string) => readFoods(text, "bakery").problems.join();
    expect(problem("name\tkcal\n")).toContain("columns");
    expect(problem(`${HEADER}\ntoast\t1`)).toContain("bakery.tsv:2: 2 columns");
  });
});

describe("a reference", () => {
  const bread = { calories: 293, protein: 9, carbs: 54.4, fat: 4, sodium: 592 };
  const butter = { calories: 743, protein: 0.85, carbs: 0.06, fat: 82.2, sodium: 524 };
  const source = new Map([
    ["fndds2021:51101010", bread],
    ["fndds2021:81100500", butter],
  ]);
  const disagreements = (row: Partial<typeof ROW>) =>
    disagreementsOf(read(row).rows, source).join();

  it("agrees within 3 % or 2 kcal", () => {
    expect(disagreements({ kcal: "301" })).toBe("");
    expect(disagreements({ kcal: "303" })).toContain(
      "bakery.tsv:2: toast: calories is 303 and 293.0",
    );
  });

  it("may be a recipe in grams", () => {
    const reference = "fndds2021:51101010*25+fndds2021:81100500*25";
    expect(disagreements({ reference })).toContain("calories is 293 and 518.0");
  });

  it("that does not exist in its source is reported", () => {
    expect(disagreements({ reference: "sr28:99999" })).toContain("no row has the code sr28:99999");
  });

  it("of `zero` is valid only for figures of 0", () => {
    const nothing = { kcal: "0", protein: "0", carbs: "0", fat: "0", sugar: "0", sodium_mg: "0" };
    expect(disagreements({ ...nothing, reference: "zero" })).toBe("");
    expect(disagreements({ ...nothing, kcal: "20", reference: "zero" })).toContain(
      "calories is 20",
    );
  });
});

describe("the checker", () => {
  const problems = (...rows: Partial<typeof ROW>[]) => problemsOf(read(...rows).rows).join();

  it("accepts a valid row", () => {
    expect(problems({})).toBe("");
  });

  it.each([
    [{ kcal: "950" }, "out of range"],
    [{ kcal: "120" }, "do not agree"],
    [{ carbs: "120" }, "more than 100 g"],
    [{ sugar: "70" }, "sugar exceeds the carbohydrate"],
    [{ sugar: "30", fiber: "30" }, "sugar and fiber exceed"],
    [{ portions: "slice 25" }, "serving is missing"],
    [{ portions: "serving 9000" }, "out of range"],
    [{ portions: "serving 25; small 30; large 20" }, "small is not smaller"],
    [{ portions: "serving 25; large 30; extra large 30" }, "large is not smaller than extra large"],
    [{ reference: "my kitchen" }, "the reference is none"],
    [{ aliases: "of the" }, "is no name"],
    [{ kind: "drink" }, "needs a density"],
  ])("finds what is wrong with %o", (row, problem) => {
    expect(problems(row)).toContain(problem);
  });

  it("finds a name that two foods share, in singular or plural", () => {
    expect(problems({}, { name: "bread", aliases: "White Toasts" })).toContain("also names toast");
  });

  it("counts the energy of alcohol", () => {
    const vodka = { kcal: "231", protein: "0", carbs: "0", fat: "0", sugar: "0", alcohol: "33.4" };
    expect(problems(vodka)).toBe("");
    expect(problems({ ...vodka, alcohol: "0" })).toContain("do not agree");
  });
});
