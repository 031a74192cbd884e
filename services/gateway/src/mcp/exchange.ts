import type { McpHeaders } from "./modern-checks.ts";
import { checkModern, statedVersion } from "./modern-checks.ts";
import type { Era, Message } from "./protocol.ts";
import {
  FAULT,
  HANDSHAKE_VERSIONS,
  ProtocolFault,
  UNSTATED_VERSION,
  readMessage,
} from "./protocol.ts";

/** Messages that a batch of the older era may hold. */
export const BATCH_MAX = 20;

/** What one POST brings. */
export interface Exchange {
  readonly era: Era;
  /** The revision that the client speaks; in a handshake, what it spoke before. */
  readonly version: string;
  readonly messages: readonly Message[];
  /** Whether the answer is an array. */
  readonly isBatch: boolean;
}

/** Reads a body that was valid JSON. Throws a `ProtocolFault`. */
export function readExchange(body: unknown, headers: McpHeaders): Exchange {
  if (Array.isArray(body)) return readBatch(body, headers);
  const message = readMessage(body);
  if (!message) throw invalidRequest("The body is not a JSON-RPC message");
  const version = headers.version ?? UNSTATED_VERSION;
  const single = { version, messages: [message], isBatch: false };
  if (message.kind === "response" || !isModern(message, headers)) {
    return { era: "handshake", ...single };
  }
  checkModern(message, headers);
  return { era: "modern", ...single };
}

/**
 * The body decides, then the header. `initialize` does not exist in the modern era, so it only
 * counts as modern when it carries that era's own mark.
 */
function isModern(message: Exclude<Message, { kind: "response" }>, headers: McpHeaders): boolean {
  if (statedVersion(message.params) !== undefined) return true;
  const { version } = headers;
  const headerIsModern = version !== undefined && !HANDSHAKE_VERSIONS.includes(version);
  if (message.method === "initialize" && headerIsModern) {
    throw new ProtocolFault({
      code: FAULT.headerMismatch,
      message: `Header mismatch: initialize does not exist in version ${version}`,
      httpStatus: 400,
    });
  }
  return headerIsModern;
}

function readBatch(body: readonly unknown[], headers: McpHeaders): Exchange {
  const version = headers.version ?? UNSTATED_VERSION;
  if (version !== UNSTATED_VERSION) {
    throw invalidRequest(`Version ${version} has no batches; send one message at a time`);
  }
  if (body.length === 0 || body.length > BATCH_MAX) {
    throw invalidRequest(`A batch holds 1 to ${BATCH_MAX} messages`);
  }
  const messages = body.map(readMessage).filter((message) => message !== undefined);
  if (messages.length < body.length) throw invalidRequest("The batch holds an invalid message");
  if (messages.some(isOutOfPlace)) {
    throw invalidRequest("A batch may not hold initialize or messages of version 2026-07-28");
  }
  return { era: "handshake", version, messages, isBatch: true };
}

function isOutOfPlace(message: Message): boolean {
  if (message.kind === "response") return false;
  return message.method === "initialize" || statedVersion(message.params) !== undefined;
}

function invalidRequest(what: string): ProtocolFault {
  return new ProtocolFault({
    code: FAULT.invalidRequest,
    message: `Invalid request: ${what}`,
    httpStatus: 400,
  });
}
