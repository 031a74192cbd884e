import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { raiseLimits } from "../conformance/raised-limits.ts";
import { connectAssistant } from "../e2e/assistants.ts";
import type { Demo } from "../e2e/system.ts";
import { System } from "../e2e/system.ts";
import type { Shapes } from "./shapes.ts";
import { readShapes } from "./shapes.ts";
import { describeTools } from "./tools.ts";

const REPLY_MAX_BYTES = 8_000;
const TOOL_LIST_MAX_BYTES = 12_000;

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

it("the result of each write has exactly the published fields, also without nutrients and goals", async () => {
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
    shapes.expectResult("log_food", "LogFoodResult", logged);
    const [snack, eggs, water, apple] = (logged["items"] as { id: string }[]).map(({ id }) => id);
    expect(logged["items"]).toMatchObject([{ protein: null }, {}, { is_water_entry: true }, {}]);
    const edited = await write("edit_food_item", { item_id: eggs, replacement_text: "3 eggs" });
    shapes.expectResult("edit_food_item", "OneItemResult", edited);
    const merged = await write("merge_food_items", {
      item_ids: [snack, eggs],
      merged_text: "Eggs with a snack",
    });
    shapes.expectResult("merge_food_items", "OneItemResult", merged);
    for (const item_id of [water, apple]) {
      const deleted = await write("delete_food_item", { item_id });
      shapes.expectResult("delete_food_item", "DeleteFoodItemResult", deleted);
    }
  }
});

describe("a reply is not larger than a model wants to read:", () => {
  const ask = async (method: string, params: object = {}) => {
    const { body, headers } = await system.fetch("/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${demo.api_key}`,
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return { body, bytes: Number(headers.get("content-length")) };
  };

  interface Page {
    entries: { date: string; items: unknown[] }[];
    limit: number;
    next_end_date?: string;
  }

  const list = async (args: object) => {
    const { body, bytes } = await ask("tools/call", { name: "list_food_entries", arguments: args });
    const { structuredContent } = (body as { result: { structuredContent: Page } }).result;
    return { page: structuredContent, bytes };
  };

  it("the list of tools", async () => {
    expect((await ask("tools/list")).bytes).toBeLessThanOrEqual(TOOL_LIST_MAX_BYTES);
  });

  it("what the reads answer when nothing is asked for in particular", async () => {
    for (const name of ["get_profile", "list_food_entries", "list_weight_history"]) {
      const { bytes } = await ask("tools/call", { name });
      expect(bytes, name).toBeLessThanOrEqual(REPLY_MAX_BYTES);
    }
  });

  it("the summary of a day of twelve items, and their logging", async () => {
    const food_text = [
      ...["2 scrambled eggs", "2 slices wholewheat toast with butter", "250 ml orange juice"],
      ...["1 banana", "1 cup coffee with milk", "1 bowl of lentil soup", "30 g almonds", "1 apple"],
      ...["500 ml water", "150 g grilled salmon", "200 g rice", "150 g greek yoghurt"],
    ].join("\n");
    const args = { food_text, date: "2026-01-15" };
    const logged = await ask("tools/call", { name: "log_food", arguments: args });
    expect(logged.body).toMatchObject({ result: { isError: false } });
    expect(logged.bytes).toBeLessThanOrEqual(REPLY_MAX_BYTES);
    const summary = await ask("tools/call", {
      name: "get_nutrition_summary",
      arguments: { date: "2026-01-15" },
    });
    expect(summary.bytes).toBeLessThanOrEqual(REPLY_MAX_BYTES);
  });

  it("a longer range comes in pages of whole days, one after the other, with none left out", async () => {
    const { body } = await system.get("/api/v1/food-entries?limit=14", demo.api_key);
    const { entries } = body as Page;
    const range = { start_date: entries.at(-1)?.date };
    const pages: Page["entries"] = [];
    let end: { end_date?: string } = {};
    for (let count = 0; count < entries.length; count += 1) {
      const { page, bytes } = await list({ ...range, ...end });
      shapes.expectResult("list_food_entries", "FoodEntriesPage", page);
      expect(bytes).toBeLessThanOrEqual(REPLY_MAX_BYTES);
      pages.push(...page.entries);
      if (page.next_end_date === undefined) break;
      expect(page.limit).toBe(page.entries.length);
      end = { end_date: page.next_end_date };
    }
    expect(pages).toEqual(entries);
  });

  it("who asks for a week with a limit gets it as REST answers it", async () => {
    const { body } = await system.get("/api/v1/food-entries?limit=7", demo.api_key);
    expect((await list({ limit: 7 })).page).toEqual(body);
  });
});

describeTools(() => system);
