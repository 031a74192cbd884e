import type { IncomingHttpHeaders } from "node:http";

import type { Exchange } from "./exchange.ts";
import { BATCH_MAX, readExchange } from "./exchange.ts";
import type { McpHeaders } from "./modern-checks.ts";
import type { ReceivedBody } from "./read-body.ts";
import { parseBody } from "./read-body.ts";

/** The content of a POST: messages, or an invalid body. */
export type Received = Exchange | RefusedMessage;

/** The request is counted before it is answered. */
export interface RefusedMessage {
  readonly refused: unknown;
  readonly body: unknown;
}

/** Never throws. */
export function readMessages(received: ReceivedBody, headers: IncomingHttpHeaders): Received {
  let body: unknown;
  try {
    body = parseBody(received);
    return readExchange(body, mcpHeadersOf(headers));
  } catch (refused) {
    return { refused, body };
  }
}

/** Number of requests to count: each message of a batch counts, even if it is refused. */
export function costOf(received: Received): number {
  if (!("refused" in received)) return received.messages.length;
  const { body } = received;
  return Array.isArray(body) ? Math.min(Math.max(body.length, 1), BATCH_MAX) : 1;
}

function mcpHeadersOf(headers: IncomingHttpHeaders): McpHeaders {
  const textOf = (name: string) => headers[name]?.toString();
  return {
    version: textOf("mcp-protocol-version"),
    method: textOf("mcp-method"),
    name: textOf("mcp-name"),
  };
}
