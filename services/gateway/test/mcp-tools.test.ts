import { ListToolsResultSchema } from "@modelcontextprotocol/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { EXAMPLES } from "../src/openapi/examples.ts";
import { FULL_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import type { ToolAnswer } from "./mcp-fixture.ts";
import { callTool, errorOf, older, post, postModern } from "./mcp-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

describe("the list of tools", () => {
  it("stays small: eight tools in 12,000 bytes, in both eras", async () => {
    const { text } = await post(fixture, older("tools/list"));
    expect(Buffer.byteLength(text)).toBeLessThan(12_000);
    const modern = await postModern(fixture, { method: "tools/list" });
    expect(Buffer.byteLength(modern.text)).toBeLessThan(12_000);
  });

  it("gives every tool a title, four hints, both schemas and a description of every input", async () => {
    const { body } = await post(fixture, older("tools/list"));
    const { tools } = ListToolsResultSchema.parse((body as { result: unknown }).result);
    expect(tools).toHaveLength(8);
    for (const tool of tools) {
      const isRead = /^(get|list)_/.test(tool.name);
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        outputSchema: { type: "object" },
        annotations: {
          readOnlyHint: isRead,
          destructiveHint: !isRead && tool.name !== "log_food",
          idempotentHint: isRead,
          openWorldHint: false,
        },
      });
      for (const input of Object.values(tool.inputSchema.properties ?? {})) {
        expect(input).toMatchObject({ description: expect.any(String) });
      }
    }
  });

  it("states the bounds of the inputs", async () => {
    const { body } = await post(fixture, older("tools/list"));
    const { tools } = ListToolsResultSchema.parse((body as { result: unknown }).result);
    const inputsOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema;
    expect(inputsOf("log_food")).toMatchObject({
      properties: { food_text: { maxLength: 500 }, detailed_description: { maxLength: 1_498 } },
      required: ["food_text"],
      additionalProperties: false,
    });
    expect(inputsOf("edit_food_item")).toMatchObject({ required: ["replacement_text"] });
    expect(inputsOf("merge_food_items")).toMatchObject({
      properties: { item_ids: { minItems: 2, maxItems: 8 } },
      required: ["merged_text"],
    });
    expect(inputsOf("list_food_entries")).toMatchObject({
      properties: { limit: { minimum: 1, maximum: 90 } },
    });
  });
});

describe("a read tool", () => {
  it.each([
    ["get_nutrition_summary", { date: "2026-02-30" }, "date"],
    ["get_nutrition_summary", { date: 20_261_121 }, "date"],
    ["list_food_entries", { limit: 91 }, "limit"],
    ["list_food_entries", { limit: "14" }, "limit"],
    ["list_food_entries", { start_date: "2026-11-22", end_date: "2026-11-21" }, "start_date"],
    ["list_weight_history", { limit: 0 }, "limit"],
  ])("%s with %j is told what the input takes", async (name, given, field) => {
    const answer = await callTool(fixture, name, given);
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toBeUndefined();
    expect(errorOf(answer)).toEqual({
      error: "invalid_input",
      message: expect.stringMatching(`^"${field}" takes a`),
      status: 400,
      field,
      given: JSON.stringify((given as Record<string, unknown>)[field]),
    });
  });

  it("is not upset by a value that is nested very deeply", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const params = `{"name":"get_nutrition_summary","arguments":{"date":${deep}}}`;
    const answer = await fixture.send("/mcp", {
      method: "POST",
      headers: { ...bearer(FULL_KEY), "content-type": "application/json" },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
    });
    const { result } = answer.body as { result: ToolAnswer };
    expect(errorOf(result)).toMatchObject({ error: "invalid_input", given: "a list" });
  });

  it("takes null for what is left out, and inputs it does not know", async () => {
    const answer = await callTool(fixture, "get_nutrition_summary", { date: null, random: "" });
    expect(answer.structuredContent).toEqual(EXAMPLES.summary);
  });

  it("also tells in words what a model needs to go on", async () => {
    const text = async (name: string) => (await callTool(fixture, name)).content[0]?.text;
    const item = "- 2 scrambled eggs: 182.24 kcal, item_id 0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a02";
    expect(await text("get_nutrition_summary")).toBe(
      `2026-11-21 (Europe/Berlin): 182.24 of 2000 kcal, protein 12.16 g, carbs 2.04 g, fat 13.42 g, water 0 ml, 1 item.\n${item}`,
    );
    expect(await text("list_food_entries")).toBe(`2026-11-21: 182.24 kcal\n${item}`);
    expect(await text("get_profile")).toBe(
      "Ada, timezone Europe/Berlin. Daily goals: calories 2000, protein 110, carbs 220, fat 70, sugar 50, fiber 30, sodium 2300, water_milliliters 2000.",
    );
    expect(await text("list_weight_history")).toBe("2026-11-20: 64.5 kg");
  });

  it("works for a user without settings", async () => {
    await using own = await startFixture();
    own.fakes.settings = null;
    const answer = await callTool(own, "get_profile");
    expect(answer.content[0]?.text).toBe("Ada, timezone UTC. Daily goals: none.");
  });
});
