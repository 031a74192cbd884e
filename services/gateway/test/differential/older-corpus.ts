import { older } from "../mcp-fixture.ts";
import type { CorpusRequest, Headers } from "./corpus-request.ts";
import { client, send } from "./corpus-request.ts";

const SUMMARY = { name: "get_nutrition_summary", arguments: { date: "2026-11-21" } };

/** A message as a client sends it after a handshake for 2025-11-25. */
function after(name: string, message: unknown, headers: Headers = {}): CorpusRequest {
  return send(`2025: ${name}`, message, { "mcp-protocol-version": "2025-11-25", ...headers });
}

/** Valid requests of the older era. */
export const OLDER_GOOD: readonly CorpusRequest[] = [
  ...["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "1999-01-01"].map((version) =>
    send(`2025: initialize for ${version}`, older("initialize", handshake(version))),
  ),
  after("initialized", { jsonrpc: "2.0", method: "notifications/initialized" }),
  after("a notification that nobody knows", { jsonrpc: "2.0", method: "notifications/x" }),
  after("ping", older("ping")),
  after("tools/list", older("tools/list")),
  after("get_nutrition_summary", older("tools/call", SUMMARY)),
  after("log_food", older("tools/call", { name: "log_food", arguments: { food_text: "1 egg" } })),
  after("resources/list", older("resources/list")),
  after("resources/templates/list", older("resources/templates/list")),
  after("resources/read", older("resources/read", { uri: "ui://change" })),
  after("a tool error", older("tools/call", { ...SUMMARY, arguments: { date: "x" } })),
  after("a response", { jsonrpc: "2.0", id: 1, result: {} }),
  after("an error response", { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "m" } }),
  after("an id that is text", { ...older("ping"), id: "a-1" }),
  after("Mcp-Method of the newer era", older("ping"), { "mcp-method": "tools/list" }),
  send("2025: no version", older("ping")),
  send("2025: the first revision in the header", older("ping"), {
    "mcp-protocol-version": "2025-03-26",
  }),
];

/** Requests of the older era that are invalid, or that only some servers accept. */
export const OLDER_BAD: readonly CorpusRequest[] = [
  after("an unknown method", older("journal/wipe")),
  after("a card that does not exist", older("resources/read", { uri: "ui://night" })),
  after("a card without a URI", older("resources/read", {})),
  after("server/discover without its marks", older("server/discover")),
  after("an unknown tool", older("tools/call", { name: "wipe_journal" })),
  after("a call of no tool", older("tools/call", {})),
  after("a call without params", older("tools/call")),
  after("arguments that are a list", older("tools/call", { name: "get_profile", arguments: [] })),
  after("a cursor", older("tools/list", { cursor: "2" })),
  after("initialize without params", older("initialize")),
  after("initialize with a client without a name", older("initialize", { protocolVersion: "x" })),
  after("a batch", [older("ping"), { ...older("ping"), id: 2 }]),
  after("no JSON", "{nope"),
  after("nothing", ""),
  after("null", "null"),
  after("a number", "7"),
  after("text", '"ping"'),
  after("an empty object", "{}"),
  after("no jsonrpc", { id: 1, method: "ping" }),
  after("another version of JSON-RPC", { ...older("ping"), jsonrpc: "1.0" }),
  after("the id null", { ...older("ping"), id: null }),
  after("an id that is a fraction", { ...older("ping"), id: 1.5 }),
  after("params that are text", { ...older("ping"), params: "x" }),
  after("very deep params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep(5_000)}}`),
  after("a body that is not JSON by its type", older("ping"), { "content-type": "text/plain" }),
  after("a body of no type", older("ping"), { "content-type": undefined }),
  after("JSON by a type with a charset", older("ping"), {
    "content-type": "Application/JSON; charset=utf-8",
  }),
  after("a client that accepts only JSON", older("ping"), { accept: "application/json" }),
  after("a client that accepts anything", older("ping"), { accept: "*/*" }),
  send("2025: an unknown version in the header", older("ping"), {
    "mcp-protocol-version": "1999-01-01",
  }),
  send("2025: a batch of the first revision", [older("ping"), { ...older("ping"), id: 2 }], {
    "mcp-protocol-version": "2025-03-26",
  }),
  send("2025: an empty batch", [], { "mcp-protocol-version": "2025-03-26" }),
  ...["GET", "DELETE", "PUT"].map((httpMethod) => ({
    ...after(httpMethod, {}),
    httpMethod,
    ...(httpMethod !== "PUT" && { body: undefined }),
  })),
];

function handshake(protocolVersion: string) {
  return { protocolVersion, capabilities: {}, clientInfo: client() };
}

function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}
