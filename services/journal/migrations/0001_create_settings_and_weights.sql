create table settings (
  account_id uuid primary key,
  -- Daily goals; null is no goal.
  goal_calories numeric(8, 2),
  goal_protein numeric(8, 2),
  goal_carbs numeric(8, 2),
  goal_fat numeric(8, 2),
  goal_sugar numeric(8, 2),
  goal_fiber numeric(8, 2),
  goal_sodium numeric(8, 2),
  goal_water_milliliters numeric(8, 2),
  water_enabled boolean not null default true,
  water_unit text not null default 'ml',
  timezone text not null default 'UTC',
  sex text,
  birth_date date,
  height_cm numeric(5, 2),
  weight_kg numeric(6, 2),
  activity_level text,
  calorie_estimation_bias text,
  updated_at timestamptz not null,
  constraint settings_goals_in_range check (
    least(
      goal_calories, goal_protein, goal_carbs, goal_fat,
      goal_sugar, goal_fiber, goal_sodium, goal_water_milliliters
    ) >= 0
    and greatest(
      goal_calories, goal_protein, goal_carbs, goal_fat,
      goal_sugar, goal_fiber, goal_sodium, goal_water_milliliters
    ) <= 100000
  ),
  constraint settings_water_unit_known check (water_unit in ('ml', 'l', 'fl_oz')),
  constraint settings_sex_known check (sex in ('female', 'male', 'other')),
  constraint settings_activity_level_known check (
    activity_level in ('sedentary', 'light', 'moderate', 'active', 'very_active')
  ),
  constraint settings_bias_known check (calorie_estimation_bias in ('lower', 'neutral', 'higher'))
);

create table weights (
  account_id uuid not null,
  -- Chosen by the caller. Unique for the account only, so that an id tells nothing about others.
  id uuid not null,
  weight_kg numeric(6, 2) not null,
  recorded_at timestamptz not null,
  -- The day of recorded_at in the timezone that the person had then.
  recorded_date date not null,
  source text,
  notes text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint weights_pkey primary key (account_id, id),
  constraint weights_weight_in_range check (weight_kg > 0 and weight_kg <= 1000)
);

create index weights_newest_first on weights (account_id, recorded_at desc, created_at desc, id desc);
