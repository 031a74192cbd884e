import type {
  Candidate,
  LineQuestion,
  ModelFood,
  ModelLine,
  ModelQuestion,
} from "../../src/model/chat-messages.ts";

export const EGG: Candidate = {
  reference: "fndds2021:31103010",
  name: "egg",
  brand: "",
  kind: "food",
  per100Grams: {
    calories: 143,
    protein: 12.4,
    carbs: 1,
    fat: 9.9,
    sugar: 0.2,
    fiber: 0,
    sodium: 129,
  },
  gramsPerMilliliter: undefined,
  portions: new Map([["each", 50]]),
};

export const WATER: Candidate = {
  reference: "sr28:14429",
  name: "water",
  brand: "",
  kind: "water",
  per100Grams: { calories: 0, protein: 0, carbs: 0, fat: 0, sugar: 0, fiber: 0, sodium: 0 },
  gramsPerMilliliter: 1,
  portions: new Map([["glass", 240]]),
};

export function question(...lines: LineQuestion[]): ModelQuestion {
  return { lines, details: "", correction: "" };
}

export const TWO_EGGS = question({ line: "2 eggs", candidates: [EGG] });

export function food(changes: Partial<ModelFood> = {}): ModelFood {
  return {
    name: "egg",
    candidate: "c1",
    amount_stated: true,
    grams: 100,
    per_100g: null,
    ...changes,
  };
}

export function reading(...foods: ModelFood[]): ModelLine {
  return { foods };
}

/** Figures as a model gives them. */
export const RICE_PER_100G = {
  ...{ calories: 130, protein: 2.7, carbs: 28, fat: 0.3 },
  ...{ sugar: 0, fiber: 0.4, sodium: 1, alcohol: 0 },
};
