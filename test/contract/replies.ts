import { countTokens } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";

import type { Demo, System } from "../e2e/system.ts";
import type { Shapes } from "./shapes.ts";

/** Limits in tokens of o200k_base: what hosts accept, and what a conversation can afford. */
const TOKENS_MAX = { toolList: 3_200, instructions: 700, smallReply: 2_600, fullReply: 25_000 };
const STRUCTURED_BYTES_MAX = 45_000;
const TEXT_BYTES_MAX = 30_000;
/** Includes about 600 for the addresses of the cards. */
const TOOL_LIST_BYTES_MAX = 12_600;

interface Running {
  system: System;
  demo: Demo;
  shapes: Shapes;
}

interface Page {
  entries: { date: string; items: unknown[] }[];
  limit: number;
  next_end_date?: string;
}

/** Registers tests of the number of tokens that the tools and their replies use. */
export function describeReplies(running: () => Running): void {
  const ask = async (method: string, params: object = {}) => {
    const { system, demo } = running();
    const { body } = await system.fetch("/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${demo.api_key}`,
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (body as { result: unknown }).result;
  };

  const call = async (name: string, args: object = {}) => {
    const result = await ask("tools/call", { name, arguments: args });
    const { content, structuredContent } = result as {
      content: { text: string }[];
      structuredContent: unknown;
    };
    return { text: content[0]?.text ?? "", structured: structuredContent };
  };

  const list = async (args: object) => {
    const { text, structured } = await call("list_food_entries", args);
    return { text, page: structured as Page };
  };

  describe("a reply is small enough for a model:", () => {
    it("the list of tools and the instructions", async () => {
      const tools = JSON.stringify(await ask("tools/list"));
      expect(Buffer.byteLength(tools)).toBeLessThanOrEqual(TOOL_LIST_BYTES_MAX);
      expectTokens("tools/list", tools, TOKENS_MAX.toolList);
      const info = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} };
      const { instructions } = (await ask("initialize", info)) as { instructions: string };
      expectTokens("instructions", instructions, TOKENS_MAX.instructions);
    });

    it("the most frequent reads", async () => {
      const food_text =
        "2 scrambled eggs\n1 slice wholewheat toast with butter\n250 ml orange juice";
      const calls = [
        ["log_food", { food_text, date: "2026-01-15" }],
        ["get_nutrition_summary", {}],
        ["get_profile", {}],
        ["list_weight_history", {}],
        ["list_food_entries", { limit: 7, include_items: false }],
      ] as const;
      for (const [name, args] of calls) {
        const { text } = await call(name, args);
        expectTokens(`${name} ${JSON.stringify(args)}`.slice(0, 60), text, TOKENS_MAX.smallReply);
      }
    });

    it("a full list: with both parts it stays below the limit of hosts", async () => {
      const { text, page } = await list({ limit: 90 });
      const structured = JSON.stringify(page);
      expect(Buffer.byteLength(structured)).toBeLessThanOrEqual(STRUCTURED_BYTES_MAX);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(TEXT_BYTES_MAX);
      expectTokens("a full list, text and structured", structured + text, TOKENS_MAX.fullReply);
      expect(page.next_end_date).toBeDefined();
    });

    it("the endpoint's default reply is returned unchanged while it fits", async () => {
      const { system, demo } = running();
      const { body } = await system.get("/api/v1/food-entries?limit=7", demo.api_key);
      expect((await list({ limit: 7 })).page).toEqual(body);
      expect((await list({})).page.limit).toBe(14);
    });

    it("a long range comes in pages of whole days, without gaps or overlaps", async () => {
      const { system, demo, shapes } = running();
      const { body } = await system.get("/api/v1/food-entries?limit=90", demo.api_key);
      const { entries } = body as Page;
      const start_date = entries.at(-1)?.date ?? "";
      const read: Page["entries"] = [];
      let end: { end_date?: string } = {};
      for (let count = 0; count < entries.length; count += 1) {
        const { page } = await list({ start_date, ...end, limit: 90 });
        shapes.expectResult("list_food_entries", page);
        read.push(...page.entries);
        if (page.next_end_date === undefined) break;
        expect(page.next_end_date >= start_date).toBe(true);
        end = { end_date: page.next_end_date };
      }
      expect(read).toEqual(entries);
    });
  });
}

function expectTokens(what: string, text: string, max: number): void {
  const tokens = countTokens(text);
  process.stdout.write(`${what}: ${tokens} tokens in ${text.length} characters, at most ${max}\n`);
  expect(tokens, what).toBeLessThanOrEqual(max);
}
