import { ListToolsResultSchema } from "@modelcontextprotocol/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { EXAMPLES } from "./examples.ts";
import { FULL_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import type { ToolAnswer } from "./mcp-fixture.ts";
import { callTool, errorOf, older, post, postModern } from "./mcp-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

/** JSON text without members that hosts do not show to models. */
function withoutMeta(value: unknown): string {
  return JSON.stringify(value, (key, member: unknown) => (key === "_meta" ? undefined : member));
}

describe("the list of tools", () => {
  it("stays small: models read at most 12,000 bytes about eight tools, in both eras", async () => {
    const inHandshakes = await post(fixture, older("tools/list"));
    const modern = await postModern(fixture, { method: "tools/list" });
    for (const { body } of [inHandshakes, modern]) {
      expect(Buffer.byteLength(withoutMeta(body))).toBeLessThan(12_000);
    }
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
    ["list_food_entries", { limit: "many" }, "limit"],
    ["list_food_entries", { limit: 2.5 }, "limit"],
    ["list_food_entries", { include_items: "some" }, "include_items"],
    ["list_food_entries", { start_date: "2026-11-22", end_date: "2026-11-21" }, "start_date"],
    ["list_weight_history", { limit: 0 }, "limit"],
  ])("%s with %j says what the input must be", async (name, given, field) => {
    const answer = await callTool(fixture, name, given);
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toBeUndefined();
    expect(errorOf(answer)).toEqual({
      error: "invalid_input",
      message: expect.stringMatching(`^"${field}" must be `),
      status: 400,
      field,
      given: JSON.stringify((given as Record<string, unknown>)[field]),
    });
  });

  it("never fails on a deeply nested value", async () => {
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

  it("accepts null and empty texts as absent, and numbers written as text", async () => {
    const summary = await callTool(fixture, "get_nutrition_summary", { date: null });
    expect(summary.structuredContent).toEqual(EXAMPLES.summary);
    const given = { start_date: "", limit: " 7 ", include_items: "FALSE" };
    const list = await callTool(fixture, "list_food_entries", given);
    expect(list.structuredContent).toMatchObject({ limit: 7 });
    const asked = { limit: 8, startDate: "", endDate: "", withoutItems: true };
    expect(fixture.fakes.journalCalls.at(-1)?.request).toMatchObject(asked);
  });

  it.each([
    ["get_nutrition_summary", { day: "2026-11-20" }, "date"],
    ["list_food_entries", { from: "2026-11-20" }, "start_date"],
    ["list_food_entries", { endDate: "2026-11-20" }, "end_date"],
    ["list_food_entries", { limt: 3 }, "limit"],
    ["list_weight_history", { days: 3 }, "limit"],
    ["get_profile", { verbose: true }, undefined],
  ])(
    "%s refuses %j by name and suggests the input that was probably meant",
    async (name, given, meant) => {
      const answer = await callTool(fixture, name, given);
      const [field = ""] = Object.keys(given);
      const error = errorOf(answer) as { message: string };
      expect(error).toMatchObject({ error: "invalid_input", status: 400, field });
      expect(error.message).toContain(`${name} has no input "${field}".`);
      expect((error as { did_you_mean?: string }).did_you_mean).toBe(meant);
      expect(error.message.includes("You probably mean")).toBe(meant !== undefined);
    },
  );

  it("works for a user without settings", async () => {
    await using own = await startFixture();
    own.fakes.settings = null;
    const answer = await callTool(own, "get_profile");
    const text = answer.content[0]?.text;
    expect(text).toContain("Time zone: UTC\nDaily goals: none are set\n");
    expect(text).toContain("can choose theirs at http://localhost:3000/settings/profile.");
  });
});
