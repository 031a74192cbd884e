import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const CLIENT_INFO = { name: "nutrition-e2e", version: "1.0.0" };

export interface ToolResult {
  isError: boolean;
  /** The structured content; undefined for an error. */
  structured: Record<string, unknown> | undefined;
  text: string;
}

/** A connected assistant of either protocol era. */
export interface Assistant extends AsyncDisposable {
  listTools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
}

/** The official client of revision 2026-07-28. */
export async function connectAssistant(baseUrl: string, key: string): Promise<Assistant> {
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { requestInit: credentials(key) }),
  );
  return assistant(client);
}

/** The official client of the older revisions, which begin with `initialize`. */
export async function connectOlderAssistant(baseUrl: string, key: string): Promise<Assistant> {
  const client = new OlderClient(CLIENT_INFO);
  const transport = new OlderTransport(new URL("/mcp", baseUrl), { requestInit: credentials(key) });
  await client.connect(transport as unknown as Parameters<OlderClient["connect"]>[0]);
  return assistant(client);
}

function credentials(key: string): RequestInit {
  return { headers: { Authorization: `Bearer ${key}` } };
}

function assistant(client: Pick<Client | OlderClient, "close"> & AnyClient): Assistant {
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args) {
      const result = (await client.callTool({ name, arguments: args })) as CallResult;
      const [first] = result.content;
      return {
        isError: result.isError ?? false,
        structured: result.structuredContent,
        text: first?.text ?? "",
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

interface CallResult {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { text?: string }[];
}
