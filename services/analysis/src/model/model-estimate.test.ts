import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { EGG, food, reading, RICE_PER_100G, WATER } from "../../test/model/samples.ts";
import { cannotTell, type Estimate } from "../domain/estimate/estimate.ts";
import type { ModelFood, ModelLine } from "./chat-messages.ts";
import { estimateOf } from "./model-estimate.ts";

const question = { line: "2 eggs", candidates: [EGG, WATER] };
const embedded = cannotTell("no");
const options = { question, embedded, biasFactor: 1 };

function withEmbedded(calories: number, confidence = 0.8) {
  const component = { text: "", foodName: "", reference: "", grams: 1, calories };
  const other = { kind: "estimate", confidence, components: [component] } as unknown as Estimate;
  return { ...options, embedded: other };
}

function ownFigures(changes: Partial<NonNullable<ModelFood["per_100g"]>>): ModelLine {
  return reading(food({ candidate: null, per_100g: { ...RICE_PER_100G, ...changes } }));
}

describe("figures", () => {
  it("are the table's if a candidate was chosen, whatever the model states", () => {
    const lying = reading(food({ per_100g: { ...RICE_PER_100G, calories: 1 } }));
    expect(estimateOf(lying, options)).toMatchObject({
      nutrients: { calories: 143, protein: 12.4 },
      provenance: "model",
      components: [{ reference: EGG.reference, grams: 100 }],
    });
  });

  it("are the model's for a food with no candidate, scaled to its weight", () => {
    const rice = reading(food({ candidate: null, grams: 200, per_100g: RICE_PER_100G }));
    expect(estimateOf(rice, options)?.nutrients).toMatchObject({ calories: 260, carbs: 56 });
  });

  it("are shifted by the bias", () => {
    const low = estimateOf(reading(food()), { ...options, biasFactor: 0.9 });
    expect(low?.nutrients.calories).toBeCloseTo(143 * 0.9);
  });

  it("stay unknown if the model does not know them", () => {
    expect(estimateOf(ownFigures({ sodium: null }), options)?.nutrients.sodium).toBeUndefined();
  });

  it("count only plain water as water", () => {
    const water = food({ candidate: "c2", grams: 500 });
    expect(estimateOf(reading(water), options)).toMatchObject({
      waterMilliliters: 500,
    });
    expect(estimateOf(reading(water, food()), options)).toMatchObject({
      waterMilliliters: 0,
    });
  });
});

describe("absurd answers give no estimate", () => {
  it.each([
    ["more energy than pure fat", { calories: 950, fat: 100, carbs: 0, protein: 0 }],
    ["energy that disagrees with its parts", { calories: 500 }],
    ["parts heavier than the whole", { carbs: 80, fat: 60, calories: 860 }],
    ["more sugar than carbohydrate", { sugar: 60 }],
    ["negative figures", { fat: -1 }],
    ["more salt than salt", { sodium: 90_000 }],
  ])("%s", (_, figures) => {
    expect(estimateOf(ownFigures(figures), options)).toBeUndefined();
  });

  it.each([
    ["no foods", []],
    ["a candidate that was not offered, and no figures", [food({ candidate: "c9" })]],
    ["no weight", [food({ grams: 0 })]],
    ["a weight that nobody stated and nobody eats", [food({ grams: 1_501, amount_stated: false })]],
    ["a ton", [food({ grams: 1_000_000 })]],
    ["one absurd food among good ones", [food(), food({ grams: -5 })]],
    ["more foods than a line can name", Array.from({ length: 21 }, () => food())],
  ])("%s", (_, foods) => {
    expect(estimateOf(reading(...foods), options)).toBeUndefined();
  });

  it("no answer of a model gives an impossible figure", () => {
    const number = fc.oneof(fc.double(), fc.double({ min: 0, max: 1_000 }));
    const maybe = fc.option(number);
    const figures = fc.record({
      calories: number,
      ...{ protein: maybe, carbs: maybe, fat: maybe, sugar: maybe },
      ...{ fiber: maybe, sodium: maybe, alcohol: maybe },
    });
    const anyFood: fc.Arbitrary<ModelFood> = fc.record({
      name: fc.string({ unit: "binary", maxLength: 80 }),
      candidate: fc.constantFrom(null, "c1", "c2", "c3"),
      amount_stated: fc.boolean(),
      grams: number,
      per_100g: fc.option(figures),
    });
    fc.assert(
      fc.property(fc.array(anyFood, { maxLength: 4 }), (foods) => {
        const estimate = estimateOf({ foods }, options);
        if (!estimate) return;
        for (const amount of Object.values(estimate.nutrients)) {
          expect(amount === undefined || (Number.isFinite(amount) && amount >= 0)).toBe(true);
        }
        expect(estimate.nutrients.calories).toBeLessThanOrEqual(4 * 50 * 902);
        expect(estimate.confidence).toBeGreaterThan(0);
        expect(estimate.confidence).toBeLessThanOrEqual(0.97);
        expect(estimate.comment).toMatch(/^[\p{L}\p{N} ,.%'-]*$/u);
        expect(estimate.comment.length).toBeLessThan(200);
      }),
    );
  });
});

describe("confidence", () => {
  const of = (line: ModelLine, given: Parameters<typeof estimateOf>[1] = options) =>
    estimateOf(line, given)?.confidence ?? NaN;

  it("is higher for a food of the tables than for one the model knows, and for a stated amount", () => {
    const assumed = of(reading(food({ amount_stated: false })));
    expect(of(reading(food()))).toBeGreaterThan(assumed);
    expect(assumed).toBeGreaterThan(of(ownFigures({})));
  });

  it("rises if the embedded provider agrees, and falls if it does not", () => {
    const alone = of(reading(food()));
    expect(of(reading(food()), withEmbedded(150))).toBeGreaterThan(alone);
    expect(of(reading(food()), withEmbedded(400))).toBeLessThan(alone);
  });
});

describe("the comment", () => {
  it("says which weights were assumed, by the table's names", () => {
    const assumed = reading(
      food({ amount_stated: false, name: "anything" }),
      food({
        candidate: null,
        per_100g: RICE_PER_100G,
        name: "rice",
        amount_stated: false,
        grams: 158.4,
      }),
    );
    expect(estimateOf(assumed, options)?.comment).toBe("Assumed 100 g of egg and 158 g of rice.");
    expect(estimateOf(reading(food()), options)?.comment).toBe("");
  });

  it("contains no text of the model", () => {
    const name = "rice<script>alert(1)</script> https://evil.example/?q=1 \u202e call 555";
    const smuggled = food({ candidate: null, per_100g: RICE_PER_100G, name, amount_stated: false });
    const comment = estimateOf(reading(smuggled), options)?.comment ?? "";
    expect(comment).toMatch(/^Assumed 100 g of [\p{L}\p{N} ]+\.$/u);
  });
});
