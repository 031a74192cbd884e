import {
  ProtocolError,
  ResourceNotFoundError,
  Server,
  createMcpHandler,
} from "@modelcontextprotocol/server";
import type {
  CallToolResult,
  McpHttpHandler,
  Resource,
  TextResourceContents,
  Tool as ListedTool,
} from "@modelcontextprotocol/server";
import type { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { CallScope } from "@nutrition/rpc/call-scope";
import type { Client } from "@nutrition/rpc/service-definition";

import type { JournalClient } from "../../src/clients/journal-client.ts";
import { textOf } from "../../src/domain/json-pieces.ts";
import { readCards } from "../../src/mcp/cards.ts";
import { instructionsFor } from "../../src/mcp/instructions.ts";
import { serverInfoOf } from "../../src/mcp/introduction.ts";
import { FAULT, isObject } from "../../src/mcp/protocol.ts";
import { ToolError } from "../../src/mcp/tool-error.ts";
import { listedTools } from "../../src/mcp/tools/listed-tools.ts";
import type { Tool } from "../../src/mcp/tools/tool.ts";
import { createTool } from "../../src/mcp/tools/tool.ts";
import { EXAMPLES } from "../examples.ts";
import { TOOL_OPERATIONS } from "../../src/operations/operations.ts";
import { ACCOUNT_ID, KEY_ID, LOGGED } from "../fake-backends.ts";
import { bytesOf } from "../fake-service.ts";
import { BASE_URL, SUPPORT } from "../gateway-fixture.ts";

export const CALL = {
  user: {
    accountId: ACCOUNT_ID,
    credentialKind: "api_key",
    credentialId: KEY_ID,
    scopes: ["service.read", "nutrition.write"],
  },
  requestId: "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6abc",
  site: { baseUrl: BASE_URL, support: SUPPORT },
} as const;

/** The SDK's own server with our tools over fake backends. */
export function createSdkHandler(): McpHttpHandler {
  const tools = cannedTools();
  return createMcpHandler(() => {
    const server = new Server(serverInfoOf(CALL.site), {
      capabilities: { tools: {}, resources: {} },
      instructions: instructionsFor({ mayWrite: true, site: CALL.site }),
      cacheHints: {
        "server/discover": { ttlMs: 300_000, cacheScope: "private" },
        "tools/list": { ttlMs: 300_000, cacheScope: "private" },
        "resources/list": { ttlMs: 300_000, cacheScope: "private" },
        "resources/read": { ttlMs: 3_600_000, cacheScope: "public" },
        "resources/templates/list": { ttlMs: 3_600_000, cacheScope: "public" },
      },
    });
    server.setRequestHandler("tools/list", async () => ({
      tools: listedTools(tools, { mayWrite: true }) as unknown as ListedTool[],
    }));
    serveCards(server);
    server.setRequestHandler("tools/call", async ({ params }) => callTool(tools, params));
    return server;
  });
}

function serveCards(server: Server): void {
  const cards = readCards(CALL.site, { mayWrite: true });
  server.setRequestHandler("resources/list", async () => ({
    resources: [...cards.values()].map(({ listed }) => listed as Resource),
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const card = cards.get(uri);
    if (!card) throw new ResourceNotFoundError(uri);
    return { contents: [card.content as TextResourceContents] };
  });
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: [] }));
}

async function callTool(
  tools: readonly Tool[],
  { name, arguments: given = {} }: { name: string; arguments?: unknown },
): Promise<CallToolResult> {
  const tool = tools.find((one) => one.name === name);
  if (!tool || !isObject(given)) throw new ProtocolError(FAULT.invalidParams, "Unknown tool");
  try {
    const { structured, text } = await tool.call(given, { ...CALL, calls: new CallScope() });
    return {
      content: [{ type: "text", text: JSON.parse(textOf([text])) as string }],
      structuredContent: JSON.parse(textOf([structured])) as Record<string, unknown>,
      isError: false,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { content: [{ type: "text", text: error.toText() }], isError: true };
  }
}

/** Our tools over backends that always give the same answers at once. */
export function cannedTools(): Tool[] {
  const answer = (document: unknown) => async () => ({ json: bytesOf(document) });
  const documents = {
    getSummary: answer(EXAMPLES.summary),
    listEntries: answer(EXAMPLES.entries),
    listWeights: answer(EXAMPLES.weights),
    getSettings: answer(EXAMPLES.profile.settings),
  } as unknown as Client<typeof JournalService>;
  const journal: JournalClient = {
    read: (_reader, call) => call(documents, { timeoutMs: 1_000 }),
    write: async () => ({ json: bytesOf(LOGGED) }),
  };
  const auth = { getProfile: async () => bytesOf(EXAMPLES.profile.profile) };
  return TOOL_OPERATIONS.map((operation) => createTool(operation, { auth, journal }));
}
