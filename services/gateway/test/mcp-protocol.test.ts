import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { READ_KEY } from "./fake-backends.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";
import { META, MODERN, older, post, postModern } from "./mcp-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

/** Every supported revision, newest first. */
const SPOKEN = [MODERN, "2025-11-25", "2025-06-18", "2025-03-26"];
const SUMMARY = { name: "get_nutrition_summary", arguments: {} };

function fault(code: number) {
  return { error: { code, message: expect.any(String) } };
}

describe("revision 2026-07-28", () => {
  it("is discovered without a handshake", async () => {
    const answer = await postModern(fixture, { method: "server/discover" });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        supportedVersions: SPOKEN,
        capabilities: { tools: {}, resources: {} },
        ttlMs: 300_000,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "nutrition-journal" } },
      },
    });
  });

  it("marks every result as complete, and the list as private with its lifetime", async () => {
    const list = await postModern(fixture, { method: "tools/list" });
    expect(list.body).toMatchObject({
      result: { resultType: "complete", ttlMs: 300_000, cacheScope: "private" },
    });
    const call = await postModern(fixture, { method: "tools/call", params: SUMMARY });
    expect(call.body).toMatchObject({ result: { resultType: "complete", isError: false } });
    expect(call.headers.has("mcp-session-id")).toBe(false);
  });

  it("makes a list without writing tools expire soon, because the person may allow them", async () => {
    const list = await postModern(fixture, { method: "tools/list", headers: bearer(READ_KEY) });
    expect(list.body).toMatchObject({ result: { ttlMs: 30_000, cacheScope: "private" } });
  });

  it.each([
    ["MCP-Protocol-Version missing", { "mcp-protocol-version": undefined }],
    ["Mcp-Method missing", { "mcp-method": undefined }],
    ["Mcp-Method of another method", { "mcp-method": "tools/list" }],
    ["Mcp-Name missing", { "mcp-name": undefined }],
    ["Mcp-Name of another tool", { "mcp-name": "get_profile" }],
    ["Mcp-Name in broken Base64", { "mcp-name": "=?base64?%%%?=" }],
    ["another version in the header", { "mcp-protocol-version": "2025-11-25" }],
  ])("refuses %s with -32020", async (_name, headers) => {
    const request = { method: "tools/call", params: SUMMARY, headers };
    const answer = await postModern(fixture, request);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ id: 1, ...fault(-32_020) });
  });

  it("accepts Mcp-Name in Base64", async () => {
    const encoded = Buffer.from(SUMMARY.name).toString("base64");
    const headers = { "mcp-name": `=?base64?${encoded}?=` };
    const answer = await postModern(fixture, { method: "tools/call", params: SUMMARY, headers });
    expect(answer).toMatchObject({ status: 200, body: { result: { isError: false } } });
  });

  it.each([
    ["no _meta", {}],
    ["no capabilities", { _meta: { "io.modelcontextprotocol/protocolVersion": MODERN } }],
    [
      "a client without a version",
      { _meta: { ...META, "io.modelcontextprotocol/clientInfo": {} } },
    ],
    [
      "a version that is not text",
      { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": 2 } },
    ],
  ])("refuses %s with -32602 and status 400", async (_name, params) => {
    const headers = { "mcp-protocol-version": MODERN, "mcp-method": "tools/list" };
    const answer = await post(fixture, older("tools/list", params), headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(fault(-32_602));
  });

  it.each([
    ["stated in header and body", { "io.modelcontextprotocol/protocolVersion": "2099-01-01" }],
    ["stated in the header only", undefined],
  ])(
    "refuses an unknown version %s with -32022 and the supported versions",
    async (_name, meta) => {
      const params = meta && { _meta: { ...META, ...meta } };
      const headers = { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" };
      const answer = await post(fixture, older("tools/list", params), headers);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        error: {
          code: -32_022,
          data: {
            supported: SPOKEN,
            requested: "2099-01-01",
          },
        },
      });
    },
  );

  it.each(["initialize", "ping", "prompts/list", "subscriptions/listen"])(
    "does not know %s: 404 and -32601",
    async (method) => {
      const answer = await postModern(fixture, { method });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject(fault(-32_601));
    },
  );

  it("accepts notifications with 202 and no body", async () => {
    const body = { jsonrpc: "2.0", method: "notifications/cancelled", params: { _meta: META } };
    const headers = { "mcp-protocol-version": MODERN };
    expect(await post(fixture, body, headers)).toMatchObject({ status: 202, text: "" });
  });

  it("does not support batches", async () => {
    const batch = [older("tools/list", { _meta: META })];
    const answer = await post(fixture, batch, { "mcp-protocol-version": MODERN });
    expect(answer).toMatchObject({ status: 400, body: fault(-32_600) });
  });
});

describe("the handshake era", () => {
  it.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-10-07", "2025-11-25"],
    [undefined, "2025-11-25"],
  ])("answers %s with %s", async (protocolVersion, spoken) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const answer = await post(fixture, older("initialize", params), { "mcp-method": "initialize" });
    expect(answer.body).toMatchObject({
      result: {
        protocolVersion: spoken,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: "nutrition-journal" },
      },
    });
    expect(answer.headers.has("mcp-session-id")).toBe(false);
  });

  it("refuses initialize under a modern header", async () => {
    const answer = await post(fixture, older("initialize"), { "mcp-protocol-version": MODERN });
    expect(answer).toMatchObject({ status: 400, body: fault(-32_020) });
  });

  it("answers ping with an empty result", async () => {
    const { body } = await post(fixture, older("ping"));
    expect(body).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  it.each([
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, result: {} },
  ])("accepts %j with 202 and no body", async (body) => {
    expect(await post(fixture, body)).toMatchObject({ status: 202, text: "" });
  });

  it("does not know prompts: -32601 in the answer", async () => {
    const answer = await post(fixture, older("prompts/list"));
    expect(answer).toMatchObject({ status: 200, body: { id: 1, ...fault(-32_601) } });
  });

  it.each([
    ["an unknown tool", { name: "wipe_journal" }],
    ["no tool", {}],
    ["a tool whose name cannot be read", { name: { toString: 1 } }],
    ["arguments that are a list", { name: "get_profile", arguments: [] }],
  ])("answers %s with -32602", async (_name, params) => {
    const answer = await post(fixture, older("tools/call", params));
    expect(answer).toMatchObject({ status: 200, body: { id: 1, ...fault(-32_602) } });
  });

  it("refuses a cursor, because there is one page", async () => {
    const answer = await post(fixture, older("tools/list", { cursor: "2" }));
    expect(answer.body).toMatchObject(fault(-32_602));
  });

  it("states everything in the text for clients without structured content", async () => {
    const unstated = await post(fixture, older("tools/call", SUMMARY));
    const stated = await post(fixture, older("tools/call", SUMMARY), {
      "mcp-protocol-version": "2025-11-25",
    });
    expect(unstated.body).toEqual(stated.body);
  });

  it.each([[{ id: 1 }], [{ jsonrpc: "1.0", id: 1, method: "ping" }], ["text"], [null], [7], [{}]])(
    "refuses %j with -32600",
    async (body) => {
      expect(await post(fixture, body)).toMatchObject({ status: 400, body: fault(-32_600) });
    },
  );

  it.each([{ id: null }, { id: 1.5 }, { id: {} }, { params: [] }, { params: "x" }])(
    "refuses a request with %j with -32600",
    async (members) => {
      const answer = await post(fixture, { ...older("ping"), ...members });
      expect(answer).toMatchObject({ status: 400, body: fault(-32_600) });
    },
  );
});

describe("a batch of revision 2025-03-26", () => {
  it("is answered as one list, and each message counts", async () => {
    await using own = await startFixture();
    const answer = await post(own, [
      older("ping"),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { ...older("tools/call", SUMMARY), id: "two" },
    ]);
    expect(answer.body).toMatchObject([
      { id: 1, result: {} },
      { id: "two", result: { isError: false } },
    ]);
    expect(own.fakes.counted).toMatchObject([{ cost: 3 }]);
  });

  it("answers each invalid message separately, and the others normally", async () => {
    const answer = await post(fixture, [7, older("ping"), { jsonrpc: "2.0", id: "x", method: 7 }]);
    expect(answer).toMatchObject({
      status: 200,
      body: [fault(-32_600), { id: 1, result: {} }, fault(-32_600)],
    });
  });

  it("of notifications only is 202", async () => {
    const batch = [{ jsonrpc: "2.0", method: "notifications/initialized" }];
    expect(await post(fixture, batch)).toMatchObject({ status: 202, text: "" });
  });

  it.each([
    ["empty", []],
    ["of 21 messages", Array.from({ length: 21 }, () => older("ping"))],
    ["with a handshake inside", [older("initialize"), older("ping")]],
    ["with a modern message inside", [older("tools/list", { _meta: META })]],
  ])("that is %s is refused with -32600", async (_name, batch) => {
    expect(await post(fixture, batch)).toMatchObject({ status: 400, body: fault(-32_600) });
  });

  it.each(["2025-06-18", "2025-11-25"])("is unknown to revision %s", async (version) => {
    const answer = await post(fixture, [older("ping")], { "mcp-protocol-version": version });
    expect(answer).toMatchObject({ status: 400, body: fault(-32_600) });
  });
});
