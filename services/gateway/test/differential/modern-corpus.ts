import { META, MODERN, older } from "../mcp-fixture.ts";
import type { CorpusRequest, Headers } from "./corpus-request.ts";
import { client, send } from "./corpus-request.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
const SAFE_MAX = Number.MAX_SAFE_INTEGER;

interface ModernMessage {
  method: string;
  params?: Record<string, unknown>;
  headers?: Headers;
  /** Members of the message that differ from a complete one. */
  message?: Record<string, unknown>;
}

/** A complete request of 2026-07-28 with the given changes. */
function modern(name: string, { method, params = {}, headers, message }: ModernMessage) {
  const complete = older(method, { _meta: META, ...params });
  return send(
    `2026: ${name}`,
    { ...complete, ...message },
    {
      "mcp-protocol-version": MODERN,
      "mcp-method": method,
      "mcp-name": [params["name"], params["uri"]].find((name) => typeof name === "string"),
      ...headers,
    },
  );
}

function calling(name: string, given: object, headers?: Headers): ModernMessage {
  const params = { name, arguments: given };
  return { method: "tools/call", params, ...(headers && { headers }) };
}

function reading(uri: string, headers?: Headers): ModernMessage {
  return { method: "resources/read", params: { uri }, ...(headers && { headers }) };
}

function withMeta(meta: object): ModernMessage {
  return { method: "tools/list", params: { _meta: meta } };
}

const LIST: ModernMessage = { method: "tools/list" };

/** Valid requests of 2026-07-28. */
export const MODERN_GOOD: readonly CorpusRequest[] = [
  modern("server/discover", { method: "server/discover" }),
  modern("tools/list", LIST),
  modern("a client that says who it is", withMeta({ ...META, [CLIENT_KEY]: client() })),
  modern("a progress token", withMeta({ ...META, progressToken: 7 })),
  modern("get_nutrition_summary", calling("get_nutrition_summary", { date: "2026-11-21" })),
  modern("list_food_entries", calling("list_food_entries", { limit: 3 })),
  modern("get_profile", calling("get_profile", {})),
  modern("list_weight_history", calling("list_weight_history", {})),
  modern("log_food", calling("log_food", { food_text: "1 egg" })),
  modern("a tool error", calling("get_nutrition_summary", { date: "2026-02-30" })),
  modern("an input that a tool does not have", calling("log_food", { food_text: "x", all: true })),
  modern("resources/list", { method: "resources/list" }),
  modern("resources/templates/list", { method: "resources/templates/list" }),
  modern("resources/read", reading("ui://day")),
  modern("a call without arguments", { method: "tools/call", params: { name: "get_profile" } }),
  modern("Mcp-Name in Base64", calling("get_profile", {}, { "mcp-name": base64("get_profile") })),
  modern("an id that is text", { ...LIST, message: { id: "a-1" } }),
  modern("an empty id", { ...LIST, message: { id: "" } }),
  modern("the id 0", { ...LIST, message: { id: 0 } }),
  modern("a negative id", { ...LIST, message: { id: -5 } }),
  modern("the largest id", { ...LIST, message: { id: SAFE_MAX } }),
  modern("a long id", { ...LIST, message: { id: "i".repeat(10_000) } }),
  modern("a member that nobody knows", { ...LIST, message: { extra: { a: 1 } } }),
  modern("a session id", { ...LIST, headers: { "mcp-session-id": "abc" } }),
  modern("arguments named __proto__", {
    method: "tools/call",
    params: JSON.parse('{"name":"get_profile","arguments":{"__proto__":{"a":1}}}') as object as {},
  }),
  modern("a notification", {
    method: "notifications/cancelled",
    params: { requestId: 1 },
    message: { id: undefined },
  }),
];

/** Invalid requests of 2026-07-28. */
export const MODERN_BAD: readonly CorpusRequest[] = [
  modern("no MCP-Protocol-Version", { ...LIST, headers: { "mcp-protocol-version": undefined } }),
  modern("no Mcp-Method", { ...LIST, headers: { "mcp-method": undefined } }),
  modern("Mcp-Method of another method", { ...LIST, headers: { "mcp-method": "tools/call" } }),
  modern("no Mcp-Name", calling("get_profile", {}, { "mcp-name": undefined })),
  modern("Mcp-Name of another tool", calling("get_profile", {}, { "mcp-name": "log_food" })),
  modern("Mcp-Name in broken Base64", calling("get_profile", {}, { "mcp-name": "=?base64?%?=" })),
  modern("an older version in the header", {
    ...LIST,
    headers: { "mcp-protocol-version": "2025-11-25" },
  }),
  modern("an unknown version in header and body", {
    ...withMeta({ ...META, [VERSION_KEY]: "2099-01-01" }),
    headers: { "mcp-protocol-version": "2099-01-01" },
  }),
  modern("an unknown version in the body", withMeta({ ...META, [VERSION_KEY]: "2099-01-01" })),
  modern("an unknown version in the header, none in the body", {
    ...withMeta({}),
    headers: { "mcp-protocol-version": "2099-01-01" },
  }),
  modern("an older version in the body", {
    ...withMeta({ ...META, [VERSION_KEY]: "2025-11-25" }),
    headers: { "mcp-protocol-version": "2025-11-25" },
  }),
  modern("no _meta", { ...LIST, message: { params: {} } }),
  modern("no params", { ...LIST, message: { params: undefined } }),
  modern("no capabilities", withMeta({ [VERSION_KEY]: MODERN })),
  modern("capabilities that are a list", withMeta({ ...META, [CAPABILITIES_KEY]: [] })),
  modern("a version that is a number", withMeta({ ...META, [VERSION_KEY]: 2026 })),
  modern("a client without a version", withMeta({ ...META, [CLIENT_KEY]: { name: "c" } })),
  modern("an unknown method", { method: "journal/wipe" }),
  modern("a method named constructor", { method: "constructor" }),
  modern("initialize", { method: "initialize" }),
  modern("ping", { method: "ping" }),
  modern("a card that does not exist", reading("ui://night")),
  modern("a card without a URI", { method: "resources/read" }),
  modern("Mcp-Name of another card", reading("ui://day", { "mcp-name": "ui://days" })),
  modern("resources/subscribe", { method: "resources/subscribe", params: { uri: "ui://day" } }),
  modern("prompts/get", { method: "prompts/get", params: { name: "p" } }),
  modern("logging/setLevel", { method: "logging/setLevel", params: { level: "info" } }),
  modern("an unknown tool", calling("wipe_journal", {})),
  modern("a tool named __proto__", calling("__proto__", {})),
  modern("a call of no tool", { method: "tools/call" }),
  modern("a tool whose name is a number", { method: "tools/call", params: { name: 7 } }),
  modern("arguments that are a list", calling("get_profile", [])),
  modern("arguments that are null", {
    method: "tools/call",
    params: { name: "get_profile", arguments: null },
  }),
  modern("a cursor", { method: "tools/list", params: { cursor: "2" } }),
  modern("the id null", { ...LIST, message: { id: null } }),
  modern("an id that is a fraction", { ...LIST, message: { id: 1.5 } }),
  modern("an id that is too large", { ...LIST, message: { id: SAFE_MAX + 1 } }),
  modern("an id that is a list", { ...LIST, message: { id: [1] } }),
  modern("another version of JSON-RPC", { ...LIST, message: { jsonrpc: "1.0" } }),
  modern("params that are a list", { ...LIST, message: { params: [] } }),
  modern("a method that is a number", { ...LIST, message: { method: 7 } }),
  send("2026: a batch", [older("tools/list", { _meta: META })], {
    "mcp-protocol-version": MODERN,
    "mcp-method": "tools/list",
  }),
];

function base64(text: string): string {
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
