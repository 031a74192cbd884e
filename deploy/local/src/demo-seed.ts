import { createHash, randomUUID } from "node:crypto";

import { addDays, type CivilDate, civilDateIn, isTimeZone } from "@nutrition/core/civil-date";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";

import {
  DEMO_DAYS,
  type DemoMeal,
  demoMeals,
  type DemoWeight,
  demoWeights,
} from "./demo-journal.ts";
import type { ReportProgress } from "./fleet.ts";
import type { Operator } from "./operator.ts";

export interface SeedOptions {
  operator: Operator;
  demo: { account_id: string; api_key: string };
  /** Address of the gateway on this machine. */
  gatewayUrl: string;
  /** Whether an earlier run has begun, in which case meals may already exist. */
  wasInterrupted: boolean;
  say: ReportProgress;
  stop: AbortSignal;
}

const DAYS_AT_ONCE = 4;
const TIMEOUT = { timeoutMs: 20_000 };

const SETTINGS = {
  goals: {
    calories: 1_900,
    protein: 120,
    carbs: 210,
    fat: 65,
    sugar: 60,
    fiber: 30,
    sodium: 2_300,
    waterMilliliters: 2_000,
  },
  waterEnabled: true,
  waterUnit: "ml",
  healthProfile: {
    sex: "female",
    birthDate: "1988-04-17",
    heightCm: 171,
    weightKg: 76.2,
    activityLevel: "moderate",
  },
  calorieEstimationBias: "neutral",
};

const SETTINGS_PATHS = [
  "goals",
  "water_enabled",
  "water_unit",
  "timezone",
  "health_profile",
  "calorie_estimation_bias",
];

/**
 * Gives the demo account goals, weights and 60 days of journal. When run again after an
 * interruption, it adds what is missing.
 */
export async function seedDemo(options: SeedOptions): Promise<void> {
  const { operator, demo, wasInterrupted, say, stop } = options;
  const accountId = demo.account_id;
  say(`Writing ${DEMO_DAYS} days of journal for the demo account.`);
  const localTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timezone = isTimeZone(localTimeZone) ? localTimeZone : "UTC";
  const settings = { ...SETTINGS, timezone };
  await operator.journal.updateSettings(
    { accountId, settings, updateMask: { paths: SETTINGS_PATHS } },
    TIMEOUT,
  );
  const today = civilDateIn(timezone, new Date());
  await Promise.all(
    demoWeights(today).map((weight) => putWeight(operator, accountId, { ...weight, timezone })),
  );
  const logged = wasInterrupted ? await readLoggedText(options, today) : new Map<string, string>();
  const days = Map.groupBy(demoMeals(today), ({ date }) => date).values();
  const logDays = async () => {
    for (const meals of days) {
      for (const meal of meals.filter((one) => !has(logged, one))) {
        stop.throwIfAborted();
        await logMeal(options, meal);
      }
    }
  };
  // The workers share the iterator, so that each day is taken once.
  await Promise.all(Array.from({ length: DAYS_AT_ONCE }, logDays));
}

async function putWeight(
  { journal }: Operator,
  accountId: string,
  { date, timezone, weightKg, notes }: DemoWeight & { timezone: string },
): Promise<void> {
  const at = morningOf(date, timezone);
  if (at > new Date()) return;
  const recordedAt = { seconds: BigInt(Math.floor(at.getTime() / 1_000)) };
  const weightId = idFrom(`${accountId} ${date}`);
  await journal.putWeight(
    { accountId, weightId, weightKg, recordedAt, source: "scale", notes },
    TIMEOUT,
  );
}

async function logMeal({ operator, demo, say }: SeedOptions, meal: DemoMeal): Promise<void> {
  const request = {
    accountId: demo.account_id,
    origin: Origin.SEED,
    requestId: `demo:${meal.date}`,
    // An interrupted call is not repeated blindly: the existing entries were read first.
    idempotencyKey: randomUUID(),
    ...meal,
  };
  const { outcome } = await operator.journal.logFood(request, TIMEOUT);
  // A missing demo entry must not fail the start.
  if (outcome.case === "refusal") say(`Skipped in the demo: ${outcome.value.message}`);
}

/** Entries of an earlier, interrupted run, by day. */
async function readLoggedText(
  { demo, gatewayUrl, stop }: SeedOptions,
  today: CivilDate,
): Promise<Map<CivilDate, string>> {
  const query = new URLSearchParams({ start_date: addDays(today, -DEMO_DAYS), limit: "90" });
  const response = await fetch(`${gatewayUrl}/api/v1/food-entries?${query.toString()}`, {
    headers: { authorization: `Bearer ${demo.api_key}`, connection: "close" },
    signal: stop,
  });
  if (!response.ok) throw new Error(`The demo's journal cannot be read: ${await response.text()}`);
  const { entries } = (await response.json()) as { entries: { date: string; food_text: string }[] };
  return new Map(entries.map((entry) => [entry.date, entry.food_text]));
}

function has(logged: ReadonlyMap<CivilDate, string>, { date, foodText }: DemoMeal): boolean {
  return `\n${logged.get(date) ?? ""}\n`.includes(`\n${foodText}\n`);
}

/** A quarter past seven on that day, in the time zone. */
function morningOf(date: CivilDate, timeZone: string): Date {
  const inUtc = new Date(`${date}T07:15:00Z`);
  const localTime = inUtc.toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
  return new Date(2 * inUtc.getTime() - new Date(`${localTime}Z`).getTime());
}

/** A UUID derived from the text (RFC 9562 §5.8). */
function idFrom(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
