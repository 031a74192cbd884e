import {
  CLIENT_CAPABILITIES_META_KEY as CAPABILITIES_KEY,
  CLIENT_INFO_META_KEY as CLIENT_KEY,
  PROTOCOL_VERSION_META_KEY as VERSION_KEY,
} from "@modelcontextprotocol/server";

import type { CallMessage, Params } from "./protocol.ts";
import { FAULT, MODERN_VERSION, ProtocolFault, SPOKEN_VERSIONS, isObject } from "./protocol.ts";

/** The headers that repeat parts of the body, so that proxies need not read it. */
export interface McpHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** The version in the message's own `_meta`; undefined if absent. */
export function statedVersion(params: Params): unknown {
  const meta = params["_meta"];
  return isObject(meta) ? meta[VERSION_KEY] : undefined;
}

/** Throws a `ProtocolFault` if the message violates revision 2026-07-28. */
export function checkModern(message: CallMessage, headers: McpHeaders) {
  const stated = statedVersion(message.params);
  if (stated === undefined && headers.version !== undefined) assertSupported(headers.version);
  if (message.kind === "request" || stated !== undefined) checkMeta(message.params["_meta"]);
  if (stated !== undefined && headers.version !== undefined && stated !== headers.version) {
    throw mismatch(`MCP-Protocol-Version is ${headers.version}, the body says ${String(stated)}`);
  }
  if (headers.method !== undefined && headers.method !== message.method) {
    throw mismatch(`Mcp-Method is ${headers.method}, the body says ${message.method}`);
  }
  if (stated !== undefined) assertSupported(String(stated));
  if (message.kind === "request") checkRequiredHeaders(message, headers);
}

function assertSupported(version: string): void {
  if (version === MODERN_VERSION) return;
  throw new ProtocolFault({
    code: FAULT.unsupportedVersion,
    message: `Unsupported protocol version: ${version}`,
    httpStatus: 400,
    data: { supported: SPOKEN_VERSIONS, requested: version },
  });
}

function checkMeta(meta: unknown): void {
  const members = isObject(meta) ? meta : {};
  if (typeof members[VERSION_KEY] !== "string") throw badMeta(VERSION_KEY, "a version");
  if (!isObject(members[CAPABILITIES_KEY])) throw badMeta(CAPABILITIES_KEY, "an object");
  const client = members[CLIENT_KEY];
  if (client !== undefined && !isClientInfo(client)) {
    throw badMeta(CLIENT_KEY, "an object with name and version");
  }
}

function isClientInfo(value: unknown): boolean {
  return (
    isObject(value) && typeof value["name"] === "string" && typeof value["version"] === "string"
  );
}

function badMeta(key: string, kind: string): ProtocolFault {
  return new ProtocolFault({
    code: FAULT.invalidParams,
    message: `Invalid params: _meta needs ${key}, ${kind}`,
    httpStatus: 400,
  });
}

function checkRequiredHeaders(
  { method, params }: { method: string; params: Params },
  headers: McpHeaders,
): void {
  if (headers.version === undefined) throw mismatch("the header MCP-Protocol-Version is missing");
  if (headers.method === undefined) throw mismatch("the header Mcp-Method is missing");
  const source = NAME_SOURCES.get(method);
  const named = source === undefined ? undefined : params[source];
  if (typeof named !== "string") return;
  if (headers.name === undefined) throw mismatch("the header Mcp-Name is missing");
  const name = decodeHeader(headers.name);
  if (name === undefined) throw mismatch("the header Mcp-Name is not valid Base64");
  if (name !== named) throw mismatch(`Mcp-Name is ${name}, the body says ${named}`);
}

/** Methods whose `Mcp-Name` repeats a member of their params. */
const NAME_SOURCES: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** Header values that are not plain ASCII are encoded as `=?base64?…?=`. */
function decodeHeader(value: string): string | undefined {
  if (!value.startsWith("=?base64?") || !value.endsWith("?=")) return value;
  const encoded = ENCODED.exec(value)?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString("utf8");
}

function mismatch(what: string): ProtocolFault {
  return new ProtocolFault({
    code: FAULT.headerMismatch,
    message: `Header mismatch: ${what}`,
    httpStatus: 400,
  });
}
