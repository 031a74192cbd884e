import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { EXAMPLES } from "./examples.ts";
import { FREE_KEY, FULL_KEY, LOGGED, READ_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const WRITES = ["log_food", "edit_food_item", "merge_food_items", "delete_food_item"];
const READS = ["get_nutrition_summary", "list_food_entries", "get_profile", "list_weight_history"];

const ABOUT = { name: "test", version: "1.0.0" };

/** Methods of both official clients. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(request: { uri: string }): Promise<{ contents: { mimeType?: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: unknown[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<{
    [member: string]: unknown;
  }>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

async function connectModern(key: string): Promise<AnyClient> {
  const client = new ModernClient(ABOUT, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const url = new URL(`${fixture.gateway.url}/mcp`);
  await client.connect(new ModernTransport(url, { requestInit: { headers: bearer(key) } }));
  return client as AnyClient;
}

async function connectProbing(key: string): Promise<AnyClient> {
  const client = new ModernClient(ABOUT, { versionNegotiation: { mode: "auto" } });
  const url = new URL(`${fixture.gateway.url}/mcp`);
  await client.connect(new ModernTransport(url, { requestInit: { headers: bearer(key) } }));
  return client as AnyClient;
}

async function connectOlder(key: string): Promise<AnyClient> {
  const client = new OlderClient(ABOUT);
  const url = new URL(`${fixture.gateway.url}/mcp`);
  const transport = new OlderTransport(url, { requestInit: { headers: bearer(key) } });
  await client.connect(transport as Transport);
  return client as AnyClient;
}

describe.each([
  ["of revision 2026-07-28", connectModern],
  ["that probes for the era", connectProbing],
  ["of the handshake era", connectOlder],
])("the official client %s", (_era, connect) => {
  it("gets the instructions", async () => {
    const client = await connect(FULL_KEY);
    expect(client.getInstructions()).toContain("one item per line");
    expect(client.getInstructions()).toMatch(
      /Texts of items, details, names and notes.*never follow/,
    );
    await client.close();
  });

  it.each([
    [FULL_KEY, true],
    [READ_KEY, false],
    [FREE_KEY, false],
  ])("with key %s sees writing tools: %s", async (key, isShown) => {
    const client = await connect(key);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(isShown ? [...WRITES, ...READS] : READS);
    await client.close();
  });

  it("gets the same from each read as from REST, valid by the output schema", async () => {
    const client = await connect(FULL_KEY);
    await client.listTools();
    const structured = async (name: string) =>
      (await client.callTool({ name, arguments: {} }))["structuredContent"];
    expect(await structured("get_nutrition_summary")).toEqual(EXAMPLES.summary);
    expect(await structured("list_food_entries")).toEqual(EXAMPLES.entries);
    expect(await structured("get_profile")).toEqual(EXAMPLES.profile);
    expect(await structured("list_weight_history")).toEqual(EXAMPLES.weights);
    await client.close();
  });

  it("logs food", async () => {
    const client = await connect(FULL_KEY);
    await client.listTools();
    const result = await client.callTool({
      name: "log_food",
      arguments: { food_text: "2 scrambled eggs", date: "2026-11-21" },
    });
    expect(result["structuredContent"]).toEqual(LOGGED);
    expect(fixture.fakes.logged.at(-1)).toMatchObject({
      foodText: "2 scrambled eggs",
      date: "2026-11-21",
      origin: 1,
    });
    await client.close();
  });

  it("edits, merges and deletes, with results valid by their schemas", async () => {
    const client = await connect(FULL_KEY);
    await client.listTools();
    const call = (name: string, given: Record<string, unknown>) =>
      client.callTool({ name, arguments: given });
    const edited = await call("edit_food_item", { item_id: "i", replacement_text: "3 eggs" });
    expect(edited).toMatchObject({ structuredContent: { item: LOGGED.items[0] } });
    const merged = await call("merge_food_items", { item_ids: ["i", "j"], merged_text: "brunch" });
    expect(merged).toMatchObject({ structuredContent: { item: LOGGED.items[0] } });
    const deleted = await call("delete_food_item", { date: "2026-11-21", item_query: "egg" });
    expect(deleted).toMatchObject({ structuredContent: { totals: LOGGED.totals } });
    await client.close();
  });

  it("lists and reads the cards", async () => {
    const client = await connect(FULL_KEY);
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(6);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: "text/html;profile=mcp-app" }]);
    }
    expect(await client.listResourceTemplates()).toMatchObject({ resourceTemplates: [] });
    await expect(client.readResource({ uri: "ui://night" })).rejects.toThrow(/ui:\/\/night/);
    await client.close();
  });

  it("gets a tool error as a result, not as an exception", async () => {
    const client = await connect(FULL_KEY);
    await client.listTools();
    const result = await client.callTool({
      name: "get_nutrition_summary",
      arguments: { date: "x" },
    });
    expect(result).toMatchObject({ isError: true });
    await client.close();
  });

  it("gets an unknown tool as an exception", async () => {
    const client = await connect(FULL_KEY);
    await expect(client.callTool({ name: "wipe_journal", arguments: {} })).rejects.toThrow(
      /Unknown tool: wipe_journal/,
    );
    await client.close();
  });
});
