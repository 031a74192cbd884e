const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The body of a request to the tool endpoint. */
export function messageOf(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: META, ...params } });
}

/** The headers that go with such a body; `name` is that of a called tool. */
export function headersOf(method: string, name?: string): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": VERSION,
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
}

/** A call of a tool. */
export function toolCall(name: string, args: object) {
  const method = "tools/call";
  return { body: messageOf(method, { name, arguments: args }), headers: headersOf(method, name) };
}
