import { FULL_KEY } from "./fake-backends.ts";
import type { Answer, GatewayFixture } from "./gateway-fixture.ts";
import { bearer } from "./gateway-fixture.ts";

export const MODERN = "2026-07-28";

export const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Posts a body unchanged; omits undefined headers. */
export function post(
  fixture: GatewayFixture,
  body: unknown,
  headers: Record<string, string | undefined> = {},
): Promise<Answer> {
  const all = { ...bearer(FULL_KEY), "content-type": "application/json", ...headers };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return fixture.send("/mcp", {
    method: "POST",
    headers: Object.fromEntries(given) as Record<string, string>,
    body: JSON.stringify(body),
  });
}

/** A request as a client of the older era sends it after its handshake. */
export function older(method: string, params?: object) {
  return { jsonrpc: "2.0", id: 1, method, ...(params && { params }) };
}

/** A complete request of revision 2026-07-28, with headers that may be changed. */
export function postModern(
  fixture: GatewayFixture,
  request: { method: string; params?: object; headers?: Record<string, string | undefined> },
): Promise<Answer> {
  const { method, params = {} } = request;
  const { name, uri } = params as { name?: string; uri?: string };
  const headers = {
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    "mcp-name": name ?? uri,
    ...request.headers,
  };
  return post(fixture, { ...older(method, { _meta: META, ...params }) }, headers);
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

/** Calls a tool in the older era. */
export async function callTool(
  fixture: GatewayFixture,
  name: string,
  given: unknown = {},
  key = FULL_KEY,
): Promise<ToolAnswer> {
  const headers = { ...bearer(key), "mcp-protocol-version": "2025-11-25" };
  const answer = await post(fixture, older("tools/call", { name, arguments: given }), headers);
  return (answer.body as { result: ToolAnswer }).result;
}

/** The JSON in a tool error's text. */
export function errorOf(answer: ToolAnswer): unknown {
  return JSON.parse(answer.content[0]?.text ?? "null");
}
