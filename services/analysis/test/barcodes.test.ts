import { type AnalyzedLine, FoodSource } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { barcodesIn } from "../src/domain/barcode/barcode-line.ts";
import { foodCalled, type FoodInit, FoodService } from "./food-service.ts";

const BISCUITS = "4006381333931";
const LEMONADE = "5449000000996";
const UNKNOWN = "4000417025005";

function packaged(code: string, name: string, more: FoodInit): FoodInit {
  const brand = { brand: "Bakers", source: FoodSource.BRANDED, gtin: code };
  return foodCalled(name, `off:${code}`, { ...brand, ...more } as FoodInit);
}

const service = await FoodService.start();
afterAll(() => service[Symbol.asyncDispose]());

beforeAll(async () => {
  await service.import([
    packaged(BISCUITS, "Butter biscuits", {
      per100g: { calories: 480, protein: 6, carbs: 70, fat: 20 },
      portions: [
        { name: "serving", grams: 25 },
        { name: "biscuits", grams: 12.5 },
        { name: "package", grams: 200 },
      ],
    } as FoodInit),
    packaged(LEMONADE, "Lemonade", {
      per100g: { calories: 42, protein: 0, carbs: 10.6, fat: 0 },
      portions: [
        { name: "serving", grams: 330 },
        { name: "fl oz", grams: 29.574 },
      ],
    } as FoodInit),
  ]);
});

async function caloriesOf(line: string, details = "") {
  const { lines } = await service.ask({ lines: [line], details });
  return estimateIn(lines[0]).nutrients?.calories;
}

function estimateIn(line: AnalyzedLine | undefined) {
  if (line?.outcome.case !== "estimate") throw new Error(`No estimate: ${JSON.stringify(line)}`);
  return line.outcome.value;
}

async function refusalOf(line: string) {
  const [analyzed] = await service.analyze(line);
  return analyzed?.outcome.case === "cannotTell" ? analyzed.outcome.value.message : "answered";
}

describe("a barcode in a line", () => {
  it.each([
    [BISCUITS, 120],
    [`${BISCUITS} 50 g`, 240],
    [`50 g ${BISCUITS}`, 240],
    [`2 servings of ${BISCUITS}`, 240],
    [`3 biscuits, ${BISCUITS}`, 180],
    [`Petit butter biscuits, extra crisp (EAN ${BISCUITS}), 100 g`, 480],
    [`barcode: 4 006381 333931, half a package`, 480],
    [`0${BISCUITS} 10 g`, 48],
    [`${LEMONADE} 500 ml`, 210],
    [`1 can ${LEMONADE}`, 138.6],
  ])("names the product and its amount: %s", async (line, calories) => {
    expect(await caloriesOf(line)).toBeCloseTo(calories, 0);
  });

  it("counts other foods of the line as well", async () => {
    const beside = (await caloriesOf("150 g apple")) ?? 0;
    expect(await caloriesOf(`${BISCUITS} 25 g and 150 g apple`)).toBeCloseTo(120 + beside, 0);
  });

  it("states the source of the figures", async () => {
    const [line] = await service.analyze(`${BISCUITS} 25 g`);
    const { comment, components } = estimateIn(line);
    expect(comment).toContain("“Butter biscuits” (Bakers) in Open Food Facts (ODbL)");
    expect(components[0]).toMatchObject({ reference: `off:${BISCUITS}`, grams: 25 });
  });

  it("is reported if its check digit or length is wrong, or if it is unknown", async () => {
    expect(await refusalOf("4006381333932")).toContain("last digit does not fit");
    expect(await refusalOf("barcode 123456789")).toContain("8, 12, 13 or 14 digits");
    expect(await refusalOf(UNKNOWN)).toContain(`No product is known by the barcode ${UNKNOWN}`);
    expect(await refusalOf(`${BISCUITS} ${LEMONADE}`)).toContain("a line of its own");
  });

  it("is ignored in favor of the name if it is invalid, and the comment says so", async () => {
    const [line] = await service.analyze(`150 g apple 4006381333932`);
    const { comment, nutrients, confidence } = estimateIn(line);
    const [plain] = await service.analyze("150 g apple");
    expect(nutrients).toEqual(estimateIn(plain).nutrients);
    expect(comment).toContain("last digit does not fit");
    expect(confidence).toBeLessThan(estimateIn(plain).confidence);
  });

  it("is overridden by figures that the person states", async () => {
    expect(await caloriesOf(`${BISCUITS} 300 kcal`)).toBe(300);
  });
});

describe("a barcode in the details", () => {
  it("names the product of the line, whose amount takes precedence over that of the details", async () => {
    expect(await caloriesOf("biscuits", `the barcode is ${BISCUITS}`)).toBeCloseTo(120, 0);
    expect(await caloriesOf("75 g biscuits", BISCUITS)).toBeCloseTo(360, 0);
    expect(await caloriesOf("biscuits", `${BISCUITS}, 50 g`)).toBeCloseTo(240, 0);
  });

  it("applies only to the line with its food", async () => {
    const lines = ["150 g apple", "4 biscuits"];
    const { lines: told } = await service.ask({ lines, details: `the biscuits are ${BISCUITS}` });
    const [apple, biscuits] = told.map((line) => estimateIn(line));
    expect(biscuits?.nutrients?.calories).toBeCloseTo(240, 0);
    expect(apple?.components[0]?.reference).not.toContain("off:");
    const unclear = await service.ask({ lines, details: BISCUITS });
    for (const line of unclear.lines) {
      expect(estimateIn(line).comment).toContain("say which food it is");
    }
  });
});

describe("a remembered correction", () => {
  it("of another product with the same words is not used", async () => {
    const remembered = [{ text: `biscuits ${UNKNOWN}`, nutrients: { calories: 999 } }];
    const { lines } = await service.ask({ lines: [`biscuits ${BISCUITS}`], remembered });
    expect(estimateIn(lines[0]).nutrients?.calories).toBeCloseTo(120, 0);
  });
});

describe("digits in a line", () => {
  it.each([
    "12345678 g rice",
    "2026-11-22 toast",
    "20261122 toast",
    "1.500.000.001",
    "07700 900123",
  ])("are not a barcode: %s", (line) => expect(barcodesIn(line)).toEqual([]));

  it("are searched in bounded work", () => {
    expect(barcodesIn("1 ".repeat(749)).length).toBeLessThan(110);
    expect(barcodesIn("ean ".repeat(374))).toEqual([]);
    expect(barcodesIn("7".repeat(1_498))).toEqual([]);
  });
});

it("explaining a barcode shows the product", async () => {
  const { result } = await service.explain(`${BISCUITS} 25 g`);
  expect(result && estimateIn(result).components[0]?.foodName).toBe("Butter biscuits");
});

it("a barcode that cannot be looked up is reported, and names are still read", async () => {
  await using away = await FoodService.start();
  await away.database.database.query({ text: "drop table branded_foods", values: [] });
  const [alone, named] = await away.analyze(BISCUITS, `150 g apple ${BISCUITS}`);
  expect(JSON.stringify(alone?.outcome.value)).toContain("cannot be looked up right now");
  expect(estimateIn(named).nutrients?.calories).toBeGreaterThan(50);
});
