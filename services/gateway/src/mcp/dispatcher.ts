import type { Principal } from "../access/principal.ts";
import { hasWritePermission, mayWrite } from "../access/principal.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import type { Era, RequestMessage } from "./protocol.ts";
import {
  FAULT,
  HANDSHAKE_VERSIONS,
  MODERN_VERSION,
  ProtocolFault,
  UNSTATED_VERSION,
  isObject,
} from "./protocol.ts";
import { ToolError, toolErrorOf } from "./tool-error.ts";
import type { Tool } from "./tools/tool.ts";

const SERVER_INFO = { name: "nutrition-journal", title: "Nutrition Journal", version: "1.0.0" };
const CAPABILITIES = { tools: {} };
/** Begins every result of the modern era. */
const MODERN_MEMBERS = membersOf({
  resultType: "complete",
  _meta: { "io.modelcontextprotocol/serverInfo": SERVER_INFO },
});
const DISCOVERY = membersOf({
  supportedVersions: [MODERN_VERSION],
  capabilities: CAPABILITIES,
  instructions: INSTRUCTIONS,
  ttlMs: 3_600_000,
  cacheScope: "public",
});
/** The list depends on what the credential may do. */
const LIST_CACHING = membersOf({ ttlMs: 300_000, cacheScope: "private" });
/** Someone who has just allowed more wants to see it. */
const SHORT_LIST_CACHING = membersOf({ ttlMs: 30_000, cacheScope: "private" });

/** How one request is to be answered. */
export interface RequestContext {
  readonly era: Era;
  /** Revision that the client speaks. */
  readonly version: string;
  readonly principal: Principal;
  /** UUID of the HTTP request. */
  readonly requestId: string;
  /** Told what went wrong on our side. */
  readonly onError: (error: unknown) => void;
}

/** Answers requests of both eras, from definitions that are serialised once. */
export class Dispatcher {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #allTools: string;
  readonly #readTools: string;

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#allTools = listOf(tools);
    this.#readTools = listOf(tools.filter(({ isWrite }) => !isWrite));
  }

  /** Whether the request calls a tool that changes something. */
  isWrite({ method, params }: RequestMessage): boolean {
    return method === "tools/call" && this.#find(params["name"])?.isWrite === true;
  }

  /** The JSON text of the answer. Rejects with a `ProtocolFault`. */
  async answer(request: RequestMessage, context: RequestContext): Promise<string> {
    const members = await this.#membersOf(request, context);
    const prefix = context.era === "modern" ? `${MODERN_MEMBERS},` : "";
    const result = members === "" ? "{}" : `{${prefix}${members}}`;
    return `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${result}}`;
  }

  /** The members of the result object, as JSON text without the braces. */
  async #membersOf(request: RequestMessage, context: RequestContext): Promise<string> {
    switch (`${context.era} ${request.method}`) {
      case "handshake initialize":
        return initialized(request.params["protocolVersion"]);
      case "handshake ping":
        return "";
      case "modern server/discover":
        return DISCOVERY;
      case "handshake tools/list":
        return this.#list(request, context);
      case "modern tools/list":
        return `${this.#list(request, context)},${cachingOf(context.principal)}`;
      case "handshake tools/call":
      case "modern tools/call":
        return this.#call(request, context);
      default:
        throw new ProtocolFault({
          code: FAULT.methodNotFound,
          message: `Method not found: ${request.method.slice(0, NAME_SHOWN_MAX)}`,
          httpStatus: context.era === "modern" ? 404 : 200,
        });
    }
  }

  #find(name: unknown): Tool | undefined {
    return typeof name === "string" ? this.#tools.get(name) : undefined;
  }

  #list({ params }: RequestMessage, { principal }: RequestContext): string {
    if (params["cursor"] !== undefined) throw invalidParams("tools/list has one page; no cursor");
    return mayWrite(principal) ? this.#allTools : this.#readTools;
  }

  async #call({ params }: RequestMessage, context: RequestContext): Promise<string> {
    const { name, arguments: given = {} } = params;
    if (typeof name !== "string") throw invalidParams("name must be the name of a tool");
    const tool = this.#find(name);
    if (!tool) throw invalidParams(`Unknown tool: ${name.slice(0, NAME_SHOWN_MAX)}`);
    if (!isObject(given)) throw invalidParams("arguments must be an object");
    const { principal, requestId } = context;
    try {
      if (tool.isWrite) assertMayWrite(principal);
      const result = await tool.call(given, { user: principal.user, requestId });
      // Clients of that revision do not know structured content, so the text holds all of it.
      const text = context.version === UNSTATED_VERSION ? result.structured : result.text;
      return `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${result.structured},"isError":false`;
    } catch (error) {
      return errorMembers(error, context);
    }
  }
}

const NAME_SHOWN_MAX = 100;

function errorMembers(error: unknown, { onError }: RequestContext): string {
  const toolError = toolErrorOf(error);
  if (toolError !== error) onError(error);
  if (toolError) {
    return membersOf({ content: [{ type: "text", text: toolError.toText() }], isError: true });
  }
  throw new ProtocolFault({
    code: FAULT.internalError,
    message: "Something went wrong on our side; try again later",
    httpStatus: 200,
  });
}

function assertMayWrite(principal: Principal): void {
  if (!hasWritePermission(principal)) {
    throw new ToolError(
      "insufficient_scope",
      "This credential may not change the journal. The user can allow it under /settings/connections, or use a key with the permission nutrition.write.",
    );
  }
  if (!principal.hasPremiumAccess) {
    throw new ToolError(
      "premium_required",
      "Changing the journal needs a premium or beta account. Ask the user to upgrade it.",
    );
  }
}

function initialized(requested: unknown): string {
  const isSpoken = typeof requested === "string" && HANDSHAKE_VERSIONS.includes(requested);
  return membersOf({
    protocolVersion: isSpoken ? requested : HANDSHAKE_VERSIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  });
}

function cachingOf(principal: Principal): string {
  return mayWrite(principal) ? LIST_CACHING : SHORT_LIST_CACHING;
}

function listOf(tools: readonly Tool[]): string {
  return membersOf({ tools: tools.map(({ definition }) => definition) });
}

function membersOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

function invalidParams(what: string): ProtocolFault {
  return new ProtocolFault({
    code: FAULT.invalidParams,
    message: `Invalid params: ${what}`,
    httpStatus: 200,
  });
}
