import { answerMessage } from "@nutrition/telemetry/tracing/tools";
import type { McpMessage } from "@nutrition/telemetry/tracing/tools";
import type { CallScope } from "@nutrition/rpc/call-scope";

import type { Principal } from "../domain/principal.ts";
import { hasWritePermission, mayWrite } from "../domain/principal.ts";
import { Introduction } from "./introduction.ts";
import { membersOf } from "./members.ts";
import { describeMessage, errorCodeOf } from "./message-telemetry.ts";
import type { Era, Params, RequestMessage } from "./protocol.ts";
import { FAULT, ProtocolFault, isObject } from "./protocol.ts";
import { Resources } from "./resources.ts";
import type { Answer, Result } from "./result.ts";
import { answerOf, faultAnswer } from "./result.ts";
import type { Site } from "../domain/site.ts";
import { ToolError, toolErrorOf } from "./tool-error.ts";
import { listedTools } from "./tools/listed-tools.ts";
import type { Tool } from "./tools/tool.ts";

/** Lists and discovery depend on the credential's permissions. */
const CACHING = membersOf({ ttlMs: 300_000, cacheScope: "private" });
/** Expires soon, so that newly allowed tools appear. */
const SHORT_CACHING = membersOf({ ttlMs: 30_000, cacheScope: "private" });

/** A card contains no personal data and changes only with the software. */
const CARD_CACHING = membersOf({ ttlMs: 3_600_000, cacheScope: "public" });

/** Context for answering one request. */
export interface RequestContext {
  readonly era: Era;
  /** Revision that the client uses. */
  readonly version: string;
  readonly principal: Principal;
  /** UUID of the HTTP request. */
  readonly requestId: string;
  /** Calls to other services made for the request. */
  readonly calls: CallScope;
  /** Called with errors on our side. */
  readonly onError: (error: unknown) => void;
  /** Called for each answered message, with the error's code if there is one. */
  readonly onAnswered: (message: McpMessage, reason: string | undefined) => void;
}

/** Answers requests of both eras, from definitions that are serialized once. */
export class Dispatcher {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #allTools: string;
  readonly #readTools: string;
  readonly #resources: Resources;
  readonly #introduction: Introduction;
  readonly #site: Site;

  constructor(tools: readonly Tool[], site: Site) {
    this.#site = site;
    this.#introduction = new Introduction(site);
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#allTools = membersOf({ tools: listedTools(tools, { mayWrite: true }) });
    this.#readTools = membersOf({ tools: listedTools(tools, { mayWrite: false }) });
    this.#resources = new Resources(site);
  }

  /** Whether the request calls a writing tool. */
  isWrite({ method, params }: RequestMessage): boolean {
    return method === "tools/call" && this.#find(params["name"])?.isWrite === true;
  }

  /** Answers a request. Errors become error responses, so the promise never rejects. */
  async answer(request: RequestMessage, context: RequestContext): Promise<Answer> {
    const tool = this.#find(request.params["name"])?.name;
    const message = describeMessage(request, { version: context.version, tool });
    const opening = this.#introduction.opening(context.era);
    const answer =
      request.method === "tools/call"
        ? () => this.#call(request, context)
        : async () => [opening + this.#membersOf(request, context)];
    try {
      const result = await answerMessage(message, answer, errorCodeOf);
      context.onAnswered(message, undefined);
      return answerOf(request.id, result);
    } catch (error) {
      context.onAnswered(message, errorCodeOf(error));
      if (error instanceof ProtocolFault) return faultAnswer(request.id, error);
      const toolError = toolErrorOf(error);
      if (toolError !== error) context.onError(error);
      if (!toolError) return faultAnswer(request.id, internalError());
      return answerOf(request.id, [opening + errorMembers(toolError)]);
    }
  }

  #membersOf(request: RequestMessage, context: RequestContext): string {
    switch (`${context.era} ${request.method}`) {
      case "handshake initialize":
        return this.#introduction.initialized(request.params["protocolVersion"], context.principal);
      case "handshake ping":
        return "";
      case "modern server/discover":
        return `${this.#introduction.discovered(context.principal)},${cachingOf(context.principal)}`;
      case "handshake tools/list":
        return this.#list(request, context);
      case "modern tools/list":
        return `${this.#list(request, context)},${cachingOf(context.principal)}`;
      case "handshake resources/list":
        return this.#listResources(request, context);
      case "modern resources/list":
        return `${this.#listResources(request, context)},${cachingOf(context.principal)}`;
      case "handshake resources/read":
        return this.#resources.read(request);
      case "modern resources/read":
        return `${this.#resources.read(request)},${CARD_CACHING}`;
      case "handshake resources/templates/list":
        return NO_TEMPLATES;
      case "modern resources/templates/list":
        return `${NO_TEMPLATES},${CARD_CACHING}`;
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
    assertFirstPage(params);
    return mayWrite(principal) ? this.#allTools : this.#readTools;
  }

  #listResources({ params }: RequestMessage, { principal }: RequestContext): string {
    assertFirstPage(params);
    return this.#resources.list(principal);
  }

  async #call({ params }: RequestMessage, context: RequestContext): Promise<Result> {
    const { name, arguments: given = {} } = params;
    if (typeof name !== "string") throw invalidParams("name must be the name of a tool");
    const tool = this.#find(name);
    if (!tool) throw invalidParams(`Unknown tool: ${name.slice(0, NAME_SHOWN_MAX)}`);
    if (!isObject(given)) throw invalidParams("arguments must be an object");
    const { principal, requestId, calls } = context;
    if (tool.isWrite) assertMayWrite(principal, this.#site);
    const call = { user: principal.user, requestId, calls, site: this.#site };
    const { structured, text, units } = await tool.call(given, call);
    const opening = this.#introduction.opening(context.era, units);
    return [
      `${opening}"content":[{"type":"text","text":`,
      text,
      '}],"isError":false,"structuredContent":',
      structured,
    ];
  }
}

const NAME_SHOWN_MAX = 100;
/** Clients request the templates of every server that has resources. */
const NO_TEMPLATES = '"resourceTemplates":[]';

/** Members of a tool result that reports an error. */
function errorMembers(error: ToolError): string {
  return membersOf({ content: [{ type: "text", text: error.toText() }], isError: true });
}

function internalError(): ProtocolFault {
  return new ProtocolFault({
    code: FAULT.internalError,
    message: "Something went wrong on our side; try again later",
    httpStatus: 200,
  });
}

function assertMayWrite(principal: Principal, { baseUrl }: Site): void {
  if (!hasWritePermission(principal)) {
    throw new ToolError(
      "insufficient_scope",
      `This connection may only read, so nothing was changed. The user can allow logging at ${baseUrl}/settings/connections, or make a key that may log at ${baseUrl}/settings/keys.`,
    );
  }
  if (!principal.hasPremiumAccess) {
    throw new ToolError(
      "premium_required",
      "Logging and correcting food needs a premium or beta account, so nothing was changed. Tell the user; reading works all the same.",
    );
  }
}

function cachingOf(principal: Principal): string {
  return mayWrite(principal) ? CACHING : SHORT_CACHING;
}

function assertFirstPage(params: Params): void {
  if (params["cursor"] !== undefined) throw invalidParams("the list is a single page; omit cursor");
}

function invalidParams(what: string): ProtocolFault {
  return new ProtocolFault({
    code: FAULT.invalidParams,
    message: `Invalid params: ${what}`,
    httpStatus: 200,
  });
}
