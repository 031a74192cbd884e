import { ListResourcesResultSchema, ListToolsResultSchema } from "@modelcontextprotocol/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { EXAMPLES } from "./examples.ts";
import { READ_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { BASE_URL, bearer, startFixture } from "./gateway-fixture.ts";
import { older, post, postModern } from "./mcp-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const ADDED_BYTES_MAX = 600;
const CARD_BYTES_MAX = 60_000;

interface Content {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/** The result of a request of the older era. */
async function ask(method: string, params: object = {}, key?: string): Promise<object> {
  const { body } = await post(fixture, older(method, params), key ? bearer(key) : {});
  return (body as { result: object }).result;
}

async function toolsFor(key?: string) {
  return ListToolsResultSchema.parse(await ask("tools/list", {}, key)).tools;
}

async function cardsFor(key?: string) {
  return ListResourcesResultSchema.parse(await ask("resources/list", {}, key)).resources;
}

async function read(uri: string): Promise<Content> {
  const { contents } = (await ask("resources/read", { uri })) as { contents: [Content] };
  return contents[0];
}

interface Result {
  readonly _meta?: object;
}

interface Linked {
  readonly _meta?: Record<string, unknown> | undefined;
}

function uriOf({ _meta: meta = {} }: Linked): string {
  return (meta["ui"] as { resourceUri: string }).resourceUri;
}

describe("cards", () => {
  it.each([[undefined], [READ_KEY]])(
    "every tool names one that can be listed and read, in both spellings (key %s)",
    async (key) => {
      const listed = (await cardsFor(key)).map(({ uri }) => uri);
      const named = (await toolsFor(key)).map(uriOf);
      expect(new Set(named)).toEqual(new Set(listed));
      for (const tool of await toolsFor(key)) {
        expect(tool).toMatchObject({ _meta: { "ui/resourceUri": uriOf(tool) } });
        expect(await read(uriOf(tool))).toMatchObject({
          uri: uriOf(tool),
          mimeType: "text/html;profile=mcp-app",
          _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } },
        });
      }
    },
  );

  it("add at most 600 bytes to the list of tools", async () => {
    const tools = await toolsFor();
    const without = JSON.stringify(tools, (key, value: unknown) =>
      key === "_meta" ? undefined : value,
    );
    const added = JSON.stringify(tools).length - without.length;
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThanOrEqual(ADDED_BYTES_MAX);
  });

  it("are one small file each, which loads nothing", async () => {
    for (const { uri } of await cardsFor()) {
      const { text } = await read(uri);
      expect(Buffer.byteLength(text), uri).toBeLessThanOrEqual(CARD_BYTES_MAX);
      expect(text).toContain("default-src &#39;none&#39;");
      expect(text).not.toMatch(/\b(?:src|href)=/);
    }
  });

  it("offer changes only to connections that may write, and link to the page that allows them", async () => {
    const root = (mayWrite: boolean) =>
      `data-may-write="${mayWrite}" data-connections-url="${BASE_URL}/settings/connections"`;
    expect((await read("ui://day")).text).toContain(root(true));
    expect((await read("ui://day/read")).text).toContain(root(false));
  });

  it("are cacheable: each for an hour by shared caches, their list like that of the tools", async () => {
    const read = await postModern(fixture, {
      method: "resources/read",
      params: { uri: "ui://day" },
    });
    expect(read.body).toMatchObject({
      result: { resultType: "complete", ttlMs: 3_600_000, cacheScope: "public" },
    });
    const list = await postModern(fixture, { method: "resources/list" });
    expect(list.body).toMatchObject({ result: { ttlMs: 300_000, cacheScope: "private" } });
  });

  it("count as a request each time they are listed or read", async () => {
    const before = fixture.fakes.counted.length;
    await cardsFor();
    await read("ui://day");
    expect(fixture.fakes.counted.length - before).toBe(2);
  });

  it("get the person's units in `_meta`, outside of the text for models, unless they are the document's", async () => {
    const food = { energy: "kJ", water: "fl_oz" };
    const calls = [
      [{ name: "get_nutrition_summary" }, food],
      [{ name: "list_food_entries", arguments: { limit: 90 } }, food],
      [
        {
          name: "delete_food_item",
          arguments: { item_id: EXAMPLES.summary.entries[0]?.items[0]?.id },
        },
        food,
      ],
      [{ name: "list_weight_history" }, { weight: "st" }],
      [{ name: "get_profile" }, { energy: "kJ" }],
    ] as const;
    const resultsIn = ([energyUnit, weightUnit, waterUnit]: readonly string[]) => {
      const units = { energy: energyUnit };
      fixture.fakes.units = { energyUnit, weightUnit, waterUnit, units };
      return Promise.all(
        calls.map(async ([params]) => {
          const older = await ask("tools/call", params);
          const { body } = await postModern(fixture, { method: "tools/call", params });
          return [older, (body as { result: object }).result] as Result[];
        }),
      );
    };
    const [before, none, chosen] = [
      await resultsIn(["kcal", "kg", "ml"]),
      await resultsIn(["", "", ""]),
      await resultsIn(["kJ", "st", "fl_oz"]),
    ];
    expect(none).toEqual(before);
    for (const [index, [, units]] of calls.entries()) {
      for (const [era, { _meta: meta, ...result }] of chosen[index]!.entries()) {
        const { _meta: metaBefore = {}, ...resultBefore } = before[index]?.[era] ?? {};
        expect(result).toEqual(resultBefore);
        expect(meta).toEqual({ ...metaBefore, "nutrition-journal/units": units });
      }
    }
    const rest = await fixture.get("/api/v1/nutrition/summary");
    expect(rest.body).toEqual(EXAMPLES.summary);
  });

  it.each([
    ["ui://night", -32_602],
    ["ui://__proto__", -32_602],
    ["file:///etc/passwd", -32_602],
    [7, -32_602],
  ])("that do not exist are refused: %s", async (uri, code) => {
    const { body } = await post(fixture, older("resources/read", { uri }));
    expect(body).toMatchObject({ error: { code } });
  });
});
