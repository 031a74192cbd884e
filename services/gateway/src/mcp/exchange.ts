import type { McpHeaders } from "./modern-checks.ts";
import { checkModern, statedVersion } from "./modern-checks.ts";
import type { CallMessage, Era, Message } from "./protocol.ts";
import {
  FAULT,
  HANDSHAKE_VERSIONS,
  ProtocolFault,
  UNSTATED_VERSION,
  idOf,
  readMessage,
} from "./protocol.ts";

/** Maximum number of messages in a batch of the older era. */
export const BATCH_MAX = 20;

/** Content of one POST. */
export interface Exchange {
  readonly era: Era;
  /** The revision that the client uses; in a handshake, the one it used before. */
  readonly version: string;
  readonly messages: readonly Message[];
  /** Whether the response is an array. */
  readonly isBatch: boolean;
}

/** Reads a valid JSON body. Throws a `ProtocolFault`. */
export function readExchange(body: unknown, headers: McpHeaders): Exchange {
  if (Array.isArray(body)) return readBatch(body, headers);
  const message = readMessage(body);
  if (!message) throw invalidRequest("The body is not a JSON-RPC message");
  const version = headers.version ?? UNSTATED_VERSION;
  const single = { version, messages: [message], isBatch: false };
  if (!isCall(message) || !isModern(message, headers)) {
    return { era: "handshake", ...single };
  }
  checkModern(message, headers);
  return { era: "modern", ...single };
}

/**
 * The body takes precedence over the header. The modern era has no `initialize`, so such a message counts as
 * modern only if its body states a modern version.
 */
function isModern(message: CallMessage, headers: McpHeaders): boolean {
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
    throw invalidRequest(`Version ${version} does not support batches; send one message at a time`);
  }
  if (body.length === 0 || body.length > BATCH_MAX) {
    throw invalidRequest(`A batch must have 1 to ${BATCH_MAX} messages`);
  }
  const messages = body.map(readMember);
  if (messages.some((message) => isCall(message) && isOutOfPlace(message))) {
    throw invalidRequest("A batch must not contain initialize or messages of version 2026-07-28");
  }
  return { era: "handshake", version, messages, isBatch: true };
}

/** An invalid message gets its own error (JSON-RPC 2.0 §6). */
function readMember(value: unknown): Message {
  const fault = () => invalidRequest("This member of the batch is not a JSON-RPC message");
  return readMessage(value) ?? { kind: "invalid", id: idOf(value), fault: fault() };
}

function isOutOfPlace({ method, params }: CallMessage): boolean {
  return method === "initialize" || statedVersion(params) !== undefined;
}

function isCall(message: Message): message is CallMessage {
  return message.kind === "request" || message.kind === "notification";
}

function invalidRequest(what: string): ProtocolFault {
  return new ProtocolFault({
    code: FAULT.invalidRequest,
    message: `Invalid request: ${what}`,
    httpStatus: 400,
  });
}
