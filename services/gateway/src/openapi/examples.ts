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

const ENTRY = {
  id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a01",
  date: "2026-11-21",
  food_text: "2 scrambled eggs",
  timezone: "Europe/Berlin",
  totals: TOTALS,
  items: [
    {
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
    },
  ],
  created_at: "2026-11-21T07:12:31.402Z",
  updated_at: "2026-11-21T07:12:31.402Z",
};

/** An example response of each read; a test validates them against the schemas. */
export const EXAMPLES = {
  profile: {
    profile: {
      id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a00",
      name: "Ada",
      email: "ada@example.com",
      avatar_url: null,
      has_premium: true,
      is_beta_tester: false,
      created_at: "2026-09-01T08:00:00.000Z",
      updated_at: "2026-11-02T18:30:00.000Z",
    },
    settings: {
      nutrition_goals: { daily_calorie_goal: 2_000, ...GOALS },
      water: { enabled: true, unit: "ml", daily_goal_ml: 2_000 },
      timezone: "Europe/Berlin",
      health_profile: {
        sex: "female",
        birth_date: "1990-12-10",
        height_cm: 168,
        weight_kg: 64.5,
        activity_level: "moderate",
      },
      calorie_estimation_bias: "neutral",
      updated_at: "2026-11-02T18:30:00.000Z",
    },
  },
  summary: {
    date: "2026-11-21",
    timezone: "Europe/Berlin",
    totals: TOTALS,
    goals: GOALS,
    entries: [ENTRY],
  },
  entries: { entries: [ENTRY], limit: 14 },
  weights: {
    entries: [
      {
        id: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a03",
        weight_kg: 64.5,
        recorded_at: "2026-11-20T06:45:00.000Z",
        recorded_date: "2026-11-20",
        source: "manual",
        notes: null,
        created_at: "2026-11-20T06:45:02.118Z",
        updated_at: "2026-11-20T06:45:02.118Z",
      },
    ],
    limit: 30,
  },
} as const;
