const TOTALS = {
  calories: 182.24,
  protein: 12.16,
  carbs: 2.04,
  fat: 13.42,
  sugar: 1.7,
  fiber: 0,
  sodium: 176.6,
  water_milliliters: 0,
};

const GOALS = {
  calories: 2_000,
  protein: 110,
  carbs: 220,
  fat: 70,
  sugar: 50,
  fiber: 30,
  sodium: 2_300,
  water_milliliters: 2_000,
};

const ITEM = {
  id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a02",
  description: "2 scrambled eggs",
  detailed_description: null,
  calories: 182.24,
  protein: 12.16,
  carbs: 2.04,
  fat: 13.42,
  sugar: 1.7,
  fiber: 0,
  sodium: 176.6,
  is_water_entry: false,
  water_milliliters: 0,
  line_index: 0,
  ai_comment: "Two large eggs, scrambled with milk.",
  confidence_score: 0.86,
  updated_at: "2026-11-21T07:12:31.402Z",
};

const ENTRY = {
  id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a01",
  date: "2026-11-21",
  food_text: "2 scrambled eggs",
  timezone: "Europe/Berlin",
  totals: TOTALS,
  items: [ITEM],
  created_at: "2026-11-21T07:12:31.402Z",
  updated_at: "2026-11-21T07:12:31.402Z",
};

/** A day in the examples of the reference. */
export const DAY_EXAMPLE = { goals: GOALS, item: ITEM, entry: ENTRY };
