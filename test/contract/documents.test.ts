import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { raiseLimits } from "../conformance/raised-limits.ts";
import { connectAssistant } from "../e2e/assistants.ts";
import type { Demo } from "../e2e/system.ts";
import { System } from "../e2e/system.ts";
import { describeReplies } from "./replies.ts";
import type { Shapes } from "./shapes.ts";
import { readShapes } from "./shapes.ts";
import { describeTools } from "./tools.ts";

let system: System;
let demo: Demo;
let shapes: Shapes;
const ends = new AsyncDisposableStack();

beforeAll(async () => {
  const { file } = ends.use(await raiseLimits());
  system = ends.use(await System.start({ LIMITS_POLICY_FILE: file }));
  demo = await system.demo();
  shapes = await readShapes(system, demo.api_key);
}, 90_000);
afterAll(() => ends.disposeAsync());

describe("a document of REST has exactly the published fields:", () => {
  const read = async (path: string, key = demo.api_key) => {
    const { status, body } = await system.get(`/api/v1${path}`, key);
    expect(status).toBe(200);
    return body as Record<string, unknown>;
  };

  it("profile, of an account with goals, settings and health profile", async () => {
    const body = await read("/me");
    shapes.expectDocument("ProfileResponse", body);
    expect(body["settings"]).toMatchObject({
      nutrition_goals: { calories: expect.any(Number) as number },
      health_profile: { height_cm: expect.any(Number) as number },
    });
  });

  it("summary, of a day with goals, food and water", async () => {
    const body = await read("/nutrition/summary");
    shapes.expectDocument("NutritionSummaryResponse", body);
    expect(body["goals"]).toMatchObject({ calories: expect.any(Number) as number });
    expect(body["totals"]).not.toMatchObject({ water_milliliters: 0 });
  });

  it("food entries, of 60 days", async () => {
    const body = await read("/food-entries?limit=90");
    shapes.expectDocument("FoodEntriesResponse", body);
    expect((body["entries"] as unknown[]).length).toBeGreaterThan(50);
  });

  it("weights", async () => {
    const body = await read("/weight-history");
    shapes.expectDocument("WeightHistoryResponse", body);
    expect((body["entries"] as unknown[]).length).toBeGreaterThan(5);
  });

  it("all of them, of an account without anything", async () => {
    const { key } = await system.account("nothing@example.com");
    shapes.expectDocument("ProfileResponse", await read("/me", key));
    shapes.expectDocument("NutritionSummaryResponse", await read("/nutrition/summary", key));
    shapes.expectDocument("FoodEntriesResponse", await read("/food-entries", key));
    shapes.expectDocument("WeightHistoryResponse", await read("/weight-history", key));
  });
});

it("the result of each write has exactly the published fields, even without nutrients and goals", async () => {
  const { key } = await system.account("writer@example.com", "--premium");
  for (const writer of [key, demo.api_key]) {
    await using assistant = await connectAssistant(system.baseUrl, writer);
    const write = async (tool: string, args: Record<string, unknown>) => {
      const { structured, text } = await assistant.call(tool, args);
      expect(structured, text).toBeDefined();
      return structured as Record<string, unknown>;
    };
    const logged = await write("log_food", {
      food_text: "Mystery snack 100 kcal\n2 scrambled eggs\n500 ml water\n1 apple",
      detailed_description: "at home",
    });
    shapes.expectResult("log_food", logged);
    const [snack, eggs, water, apple] = (logged["items"] as { id: string }[]).map(({ id }) => id);
    expect(logged["items"]).toMatchObject([{ protein: null }, {}, { is_water_entry: true }, {}]);
    const edited = await write("edit_food_item", { item_id: eggs, replacement_text: "3 eggs" });
    shapes.expectResult("edit_food_item", edited);
    const merged = await write("merge_food_items", {
      item_ids: [snack, eggs],
      merged_text: "Eggs with a snack",
    });
    shapes.expectResult("merge_food_items", merged);
    for (const item_id of [water, apple]) {
      const deleted = await write("delete_food_item", { item_id });
      shapes.expectResult("delete_food_item", deleted);
    }
  }
});

describeReplies(() => ({ system, demo, shapes }));
describeTools(() => system);
