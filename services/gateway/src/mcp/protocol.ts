/** The revision without a handshake: every request says its version itself. */
export const MODERN_VERSION = "2026-07-28";

/** Revisions that begin with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** What a client of the older era speaks when it does not say. */
export const UNSTATED_VERSION = "2025-03-26";

export type Era = "modern" | "handshake";

/** Error codes of JSON-RPC 2.0 and of revision 2026-07-28. */
export const FAULT = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

export interface FaultOptions {
  code: number;
  message: string;
  /** Status of the HTTP answer when the fault is the whole answer. */
  httpStatus: number;
  data?: unknown;
}

/** A breach of the protocol, answered with a JSON-RPC error. */
export class ProtocolFault extends Error {
  override readonly name = "ProtocolFault";
  readonly code: number;
  readonly httpStatus: number;
  readonly data: unknown;

  constructor({ code, message, httpStatus, data }: FaultOptions) {
    super(message);
    this.code = code;
    this.httpStatus = httpStatus;
    this.data = data;
  }
}

export type MessageId = string | number;
export type Params = Readonly<Record<string, unknown>>;

export interface RequestMessage {
  readonly kind: "request";
  readonly id: MessageId;
  readonly method: string;
  readonly params: Params;
}

/** A JSON-RPC message; clients of the older era may also post responses. */
export type Message =
  | RequestMessage
  | { readonly kind: "notification"; readonly method: string; readonly params: Params }
  | { readonly kind: "response" };

/** The message that `value` is; undefined when it is none. */
export function readMessage(value: unknown): Message | undefined {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params = {} } = value;
  if (method === undefined) return "result" in value || "error" in value ? RESPONSE : undefined;
  if (typeof method !== "string" || !isObject(params)) return undefined;
  if (!("id" in value)) return { kind: "notification", method, params };
  return isMessageId(id) ? { kind: "request", id, method, params } : undefined;
}

const RESPONSE = { kind: "response" } as const;

/** The id to answer a faulty body with, as far as it can be told; it need not be a valid one. */
export function idOf(value: unknown): MessageId | null {
  if (!isObject(value) || typeof value["method"] !== "string") return null;
  const { id } = value;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function isMessageId(value: unknown): value is MessageId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function isObject(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON text of an error answer. */
export function faultText(id: MessageId | null, fault: ProtocolFault): string {
  const { code, message, data } = fault;
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}
