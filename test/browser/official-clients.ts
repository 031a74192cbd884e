import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import type { MemoryProvider } from "./memory-provider.ts";

/** What both generations of the official client can do, with their own OAuth. */
export interface OfficialClient {
  /** Rejects after it has asked for the person's browser. */
  connect(): Promise<void>;
  /** Takes what the person's browser brought back, and connects. */
  finish(returned: URLSearchParams): Promise<void>;
  readProfile(): Promise<unknown>;
  close(): Promise<void>;
}

/** The client of today. */
export function currentClient(baseUrl: string, authProvider: MemoryProvider): OfficialClient {
  const client = new Client({ name: "current", version: "1.0.0" });
  const transportOf = () =>
    new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { authProvider });
  let transport = transportOf();
  const connect = () => client.connect(transport);
  return {
    connect,
    async finish(returned) {
      await transport.finishAuth(returned);
      transport = transportOf();
      await connect();
    },
    readProfile: async () => (await client.callTool({ name: "get_profile" })).structuredContent,
    close: () => client.close(),
  };
}

/** The client that most assistants still have. */
export function olderClient(baseUrl: string, authProvider: MemoryProvider): OfficialClient {
  const client = new OlderClient({ name: "older", version: "1.0.0" });
  const transportOf = () => new OlderTransport(new URL("/mcp", baseUrl), { authProvider });
  let transport = transportOf();
  const connect = () => client.connect(transport as Parameters<OlderClient["connect"]>[0]);
  return {
    connect,
    async finish(returned) {
      await transport.finishAuth(returned.get("code") ?? "");
      transport = transportOf();
      await connect();
    },
    readProfile: async () => (await client.callTool({ name: "get_profile" })).structuredContent,
    close: () => client.close(),
  };
}
