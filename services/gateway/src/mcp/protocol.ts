import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  JSONRPC_VERSION,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { RequestId } from "@modelcontextprotocol/server";

/** The revision without a handshake: every request states its version. */
export const MODERN_VERSION = "2026-07-28";

/** The version of an older client that does not state one. */
export const UNSTATED_VERSION = DEFAULT_NEGOTIATED_PROTOCOL_VERSION;

/** Revisions that begin with `initialize` and use this transport, newest first. */
export const HANDSHAKE_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (version) => version >= UNSTATED_VERSION,
);

/** Every supported revision, newest first. */
export const SPOKEN_VERSIONS: readonly string[] = [MODERN_VERSION, ...HANDSHAKE_VERSIONS];

export type Era = "modern" | "handshake";

/** Error codes of JSON-RPC 2.0 and of revision 2026-07-28. */
export const FAULT = {
  parseError: ProtocolErrorCode.ParseError,
  invalidRequest: ProtocolErrorCode.InvalidRequest,
  methodNotFound: ProtocolErrorCode.MethodNotFound,
  invalidParams: ProtocolErrorCode.InvalidParams,
  internalError: ProtocolErrorCode.InternalError,
  // The SDK has constants for all other codes.
  headerMismatch: -32_020,
  unsupportedVersion: ProtocolErrorCode.UnsupportedProtocolVersion,
} as const;

export interface FaultOptions {
  code: number;
  message: string;
  /** Status of the HTTP response if the fault is the whole response. */
  httpStatus: number;
  data?: unknown;
}

/** A protocol violation, answered with a JSON-RPC error. */
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

export type Params = Readonly<Record<string, unknown>>;

export interface RequestMessage {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

/** A message with a method. */
export type CallMessage = Exclude<Message, { kind: "response" } | InvalidMember>;

/** A JSON-RPC message; clients of the older era may also post responses. */
export type Message =
  | RequestMessage
  | { readonly kind: "notification"; readonly method: string; readonly params: Params }
  | { readonly kind: "response" }
  | InvalidMember;

/** A member of a batch that gets its own error. */
export interface InvalidMember {
  readonly kind: "invalid";
  readonly id: RequestId | null;
  readonly fault: ProtocolFault;
}

/** Parses a message; undefined when it is invalid. */
export function readMessage(value: unknown): Message | undefined {
  if (!isObject(value) || value["jsonrpc"] !== JSONRPC_VERSION) return undefined;
  const { id, method, params = {} } = value;
  if (method === undefined) return "result" in value || "error" in value ? RESPONSE : undefined;
  if (typeof method !== "string" || !isObject(params)) return undefined;
  if (!("id" in value)) return { kind: "notification", method, params };
  return isMessageId(id) ? { kind: "request", id, method, params } : undefined;
}

const RESPONSE = { kind: "response" } as const;

/**
 * The id for the error response to a faulty body, as far as it can be determined; it may be
 * invalid.
 */
export function idOf(value: unknown): RequestId | null {
  if (!isObject(value) || typeof value["method"] !== "string") return null;
  const { id } = value;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function isMessageId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function isObject(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON text of an error response. */
export function faultText(id: RequestId | null, fault: ProtocolFault): string {
  const { code, message, data } = fault;
  return JSON.stringify({
    jsonrpc: JSONRPC_VERSION,
    id,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}
