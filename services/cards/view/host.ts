import type {
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiInitializeRequest,
  McpUiInitializeResult,
} from "@modelcontextprotocol/ext-apps";

/** Revision of MCP Apps that the cards speak. */
const PROTOCOL_VERSION = "2026-01-26";
const APP_INFO = { name: "nutrition-journal", version: "1.0.0" };
/** The longest call is a write that waits for its turn. */
const ANSWER_MAX_MS = 60_000;
const METHOD_NOT_FOUND = -32_601;

/** The parts of a tool's result that cards use. */
export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Events from the host. */
export interface Listener {
  /** The complete host context; called again after every change. */
  onContext(context: McpUiHostContext): void;
  onInput(args: Readonly<Record<string, unknown>>): void;
  onResult(result: ToolResult): void;
  onCancelled(): void;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown };
}

interface OpenRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * The card's side of MCP Apps. The official class `App` adds 669 kB; this one implements the part that cards
 * need, with the official package's types, and is tested against its host side.
 */
export class Host {
  readonly #open = new Map<number, OpenRequest>();
  #lastId = 0;
  #context: McpUiHostContext = {};
  #capabilities: McpUiHostCapabilities = {};

  /** The host's capabilities; empty before it has answered. */
  get capabilities(): McpUiHostCapabilities {
    return this.#capabilities;
  }

  /** Initializes the connection. Never resolves in a page without a host. */
  async connect(listener: Listener): Promise<void> {
    addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
      if (
        source !== window.parent ||
        source === window ||
        typeof data !== "object" ||
        data === null
      )
        return;
      this.#receive(data as Message, listener);
    });
    const params: McpUiInitializeRequest["params"] = {
      appInfo: APP_INFO,
      appCapabilities: { availableDisplayModes: ["inline"] },
      protocolVersion: PROTOCOL_VERSION,
    };
    const answer = await this.#request<McpUiInitializeResult>("ui/initialize", params);
    this.#capabilities = answer.hostCapabilities ?? {};
    this.#changeContext(answer.hostContext ?? {}, listener);
    this.notify("ui/notifications/initialized", {});
  }

  /** Calls a tool of the journal's server. Rejects if there is no answer. */
  callTool(name: string, args: object): Promise<ToolResult> {
    const params = { name, arguments: args };
    return this.#request<ToolResult>("tools/call", params, ANSWER_MAX_MS);
  }

  async openLink(url: string): Promise<void> {
    await this.#request("ui/open-link", { url });
  }

  /** Updates the model's context with the actions in the card; replaces the earlier update. */
  async updateModelContext(text: string): Promise<void> {
    if (!this.#capabilities.updateModelContext) return;
    await this.#request("ui/update-model-context", { content: [{ type: "text", text }] });
  }

  notify(method: string, params: object): void {
    window.parent.postMessage({ jsonrpc: "2.0", method, params }, "*");
  }

  #request<Result>(method: string, params: object, withinMs?: number): Promise<Result> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<unknown>((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      if (withinMs !== undefined) {
        setTimeout(() => this.#settle(id)?.reject(new Error("No answer came")), withinMs);
      }
      window.parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
    }) as Promise<Result>;
  }

  #settle(id: number): OpenRequest | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  #receive(message: Message, listener: Listener): void {
    const { id, method, params = {}, result, error } = message;
    if (typeof method === "string") {
      if (id === undefined) this.#hear(method, params, listener);
      else this.#answer(id, method);
    } else if (typeof id === "number") {
      const request = this.#settle(id);
      if (error) request?.reject(new Error(String(error.message)));
      else request?.resolve(result);
    }
  }

  #hear(method: string, params: Readonly<Record<string, unknown>>, listener: Listener): void {
    switch (method) {
      case "ui/notifications/host-context-changed":
        return this.#changeContext(params, listener);
      case "ui/notifications/tool-input":
        return listener.onInput((params["arguments"] ?? {}) as Readonly<Record<string, unknown>>);
      case "ui/notifications/tool-result":
        return listener.onResult(params as ToolResult);
      case "ui/notifications/tool-cancelled":
        return listener.onCancelled();
    }
  }

  #changeContext(changed: McpUiHostContext, listener: Listener): void {
    this.#context = { ...this.#context, ...changed };
    listener.onContext(this.#context);
  }

  /** A card has nothing to finish, so it agrees to the teardown at once. */
  #answer(id: unknown, method: string): void {
    const isKnown = method === "ping" || method === "ui/resource-teardown";
    const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
    const answer = isKnown ? { result: {} } : { error };
    window.parent.postMessage({ jsonrpc: "2.0", id, ...answer }, "*");
  }
}
