import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import type { MemoryProvider } from "./memory-provider.ts";

/** The common interface of both generations of the official client, with their own OAuth. */
export interface OfficialClient {
  /** Rejects after it has asked to open the browser. */
  connect(): Promise<void>;
  /** Completes the flow with the browser's redirect, and connects. */
  finish(returned: URLSearchParams): Promise<void>;
  readProfile(): Promise<unknown>;
  close(): Promise<void>;
}

/** The current client. */
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

/** The older client, which most assistants still use. */
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
