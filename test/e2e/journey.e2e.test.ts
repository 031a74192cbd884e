import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connectAssistant, connectOlderAssistant } from "./assistants.ts";
import { System } from "./system.ts";

const BREAKFAST = "2 scrambled eggs\n1 slice wholewheat toast with butter\n250 ml orange juice";
const READ_TOOLS = [
  "get_nutrition_summary",
  "get_profile",
  "list_food_entries",
  "list_weight_history",
];

interface Summary {
  date: string;
  timezone: string;
  totals: Record<string, number>;
  goals: unknown;
  entries: { food_text: string; totals: unknown; items: { id: string; description: string }[] }[];
}

let system: System;
beforeAll(async () => {
  system = await System.start();
}, 90_000);
afterAll(() => system[Symbol.asyncDispose]());

describe.each([
  ["2026-07-28", connectAssistant],
  ["the older era", connectOlderAssistant],
] as const)("an assistant of %s", (era, connect) => {
  it("logs breakfast, and the summary shows the same totals to the last digit", async () => {
    const email = `breakfast-${era.replaceAll(/\W/g, "-")}@example.com`;
    const { key } = await system.account(email, "--premium", "--timezone", "Europe/Berlin");
    await using assistant = await connect(system.baseUrl, key);
    expect(await assistant.listTools()).toEqual(
      expect.arrayContaining(["log_food", ...READ_TOOLS]),
    );

    const logged = await assistant.call("log_food", { food_text: BREAKFAST });
    expect(logged).toMatchObject({ isError: false, structured: { duplicate: false } });
    const { items, totals } = logged.structured as unknown as {
      items: { description: string; calories: number; is_water_entry: boolean }[];
      totals: unknown;
    };
    expect(items.map(({ description }) => description)).toEqual(BREAKFAST.split("\n"));
    for (const { calories } of items) expect(calories).toBeGreaterThan(30);

    const { status, body } = await system.get("/api/v1/nutrition/summary", key);
    const summary = body as Summary;
    expect(status).toBe(200);
    expect(summary.totals).toEqual(totals);
    expect(summary.entries[0]?.food_text).toBe(BREAKFAST);
    const read = await assistant.call("get_nutrition_summary", {});
    expect(read.structured).toEqual(summary);

    const again = await assistant.call("log_food", { food_text: BREAKFAST });
    expect(again.structured).toEqual({ ...logged.structured, duplicate: true });
    expect((await system.get("/api/v1/nutrition/summary", key)).body).toEqual(summary);
  });
});

it("gives the demo account 60 days of journal, weights with a trend, and goals", async () => {
  const { api_key: key } = await system.demo();
  const { body } = await system.get("/api/v1/food-entries?limit=90", key);
  const { entries } = body as { entries: { date: string; items: unknown[] }[] };
  expect(entries.length).toBeGreaterThanOrEqual(58);
  expect(entries.map(({ date }) => date)).toEqual(
    entries
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  );
  const weights = (await system.get("/api/v1/weight-history", key)).body as {
    entries: { weight_kg: number }[];
  };
  expect(weights.entries.length).toBeGreaterThanOrEqual(8);
  expect(weights.entries[0]?.weight_kg).not.toBe(weights.entries.at(-1)?.weight_kg);
  const summary = (await system.get("/api/v1/nutrition/summary", key)).body as Summary;
  expect(summary.goals).toMatchObject({ calories: expect.any(Number) as number });
});

it("never shows one person's journal to another", async () => {
  const [a, b] = await Promise.all([
    system.account("person-a@example.com", "--premium"),
    system.account("person-b@example.com", "--premium"),
  ]);
  await using assistant = await connectAssistant(system.baseUrl, a.key);
  await assistant.call("log_food", { food_text: "a very private plum" });
  for (const path of ["/me", "/nutrition/summary", "/food-entries", "/weight-history"]) {
    const { status, body } = await system.get(`/api/v1${path}`, b.key);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain("plum");
    expect(JSON.stringify(body)).not.toContain(a.id);
  }
});

it("answers the curl command that it prints", async () => {
  const line = /curl -H "Authorization: Bearer (\S+)" (\S+)/.exec(system.output);
  const url = new URL(line?.[2] ?? "");
  const { status, body } = await system.get(url.pathname, line?.[1]);
  expect(status).toBe(200);
  expect(body).toHaveProperty("totals");
});
