import pg from "pg";

// Figures become numbers and days stay text; both are the usual settings for JSON answers.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const NUTRIENTS = [
  "calories",
  "protein",
  "carbs",
  "fat",
  "sugar",
  "fiber",
  "sodium",
  "water_milliliters",
] as const;
type Nutrient = (typeof NUTRIENTS)[number];

type DayRow = { [name in `goal_${Nutrient}`]: number | null } & {
  user_timezone: string;
  id: string | null;
  date: string;
  timezone: string;
  created_at: Date;
  updated_at: Date;
};

type ItemRow = Record<Nutrient, number | null> & { description: string };

/** Reads the summary of a day with two queries, nested here. */
export class DayReader {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** The document of the public interface. */
  async read(userId: string, date: string): Promise<object> {
    const day = await this.#pool.query<DayRow>({ name: "day", text: DAY, values: [userId, date] });
    const row = day.rows[0];
    if (!row) throw new Error("The key's account was deleted.");
    const { user_timezone: timezone } = row;
    const goals = goalsOf(row);
    if (row.id === null) return { date, timezone, totals: totalsOf([]), goals, entries: [] };
    const { rows: items } = await this.#pool.query<ItemRow>({
      name: "items",
      text: ITEMS,
      values: [row.id],
    });
    const totals = totalsOf(items);
    const entry = {
      id: row.id,
      date: row.date,
      food_text: items.map((item) => item.description).join("\n"),
      timezone: row.timezone,
      totals,
      items,
      created_at: row.created_at,
      updated_at: row.updated_at,
    };
    return { date, timezone, totals, goals, entries: [entry] };
  }
}

const DAY = `
  select u.timezone as user_timezone, u.goal_calories, u.goal_protein, u.goal_carbs, u.goal_fat,
    u.goal_sugar, u.goal_fiber, u.goal_sodium, u.goal_water_milliliters,
    e.id, e.date, e.timezone, e.created_at, e.updated_at
  from users u left join entries e on e.user_id = u.id and e.date = $2
  where u.id = $1`;

const ITEMS = `
  select id, description, detailed_description, calories, protein, carbs, fat, sugar, fiber, sodium,
    is_water_entry, water_milliliters, line_index, ai_comment, confidence_score, updated_at
  from items where entry_id = $1 order by line_index`;

function totalsOf(items: readonly ItemRow[]): object {
  return Object.fromEntries(
    NUTRIENTS.map((nutrient) => {
      const sum = items.reduce((total, item) => total + (item[nutrient] ?? 0), 0);
      return [nutrient, Math.round(sum * 100) / 100];
    }),
  );
}

function goalsOf(row: DayRow): object | null {
  const goals = NUTRIENTS.map((nutrient) => [nutrient, row[`goal_${nutrient}`]] as const);
  return goals.some(([, goal]) => goal !== null) ? Object.fromEntries(goals) : null;
}
