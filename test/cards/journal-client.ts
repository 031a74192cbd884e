import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getToolUiResourceUri } from "@modelcontextprotocol/ext-apps/app-bridge";

import type { CardResource, ToolCall } from "./card-host.ts";

/** The official client as a host uses it: it finds a tool's card and passes calls on. */
export class JournalClient implements AsyncDisposable {
  readonly #client: Client;
  readonly #cards: ReadonlyMap<string, string>;

  private constructor(client: Client, cards: ReadonlyMap<string, string>) {
    this.#client = client;
    this.#cards = cards;
  }

  static async connect(baseUrl: string, key: string): Promise<JournalClient> {
    const about = { name: "nutrition-cards", version: "1.0.0" };
    const client = new Client(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    const url = new URL("/mcp", baseUrl);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const { tools } = await client.listTools();
    const cards = tools.map((tool) => [tool.name, getToolUiResourceUri(tool) ?? ""] as const);
    return new JournalClient(client, new Map(cards));
  }

  /** The card that the tool names. */
  async cardOf(tool: string): Promise<CardResource> {
    const { contents } = await this.#client.readResource({ uri: this.#cards.get(tool) ?? "" });
    return contents[0] as unknown as CardResource;
  }

  call({ name, arguments: given = {} }: ToolCall): Promise<Record<string, unknown>> {
    return this.#client.callTool({ name, arguments: given });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
