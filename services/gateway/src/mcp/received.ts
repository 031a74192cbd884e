import type { IncomingHttpHeaders } from "node:http";

import type { Request, Response } from "express";

import type { Exchange } from "./exchange.ts";
import { BATCH_MAX, readExchange } from "./exchange.ts";
import type { McpHeaders } from "./modern-checks.ts";
import { readBody } from "./read-body.ts";

/** What a POST brought: messages, or a body that could not be made sense of. */
export type Received = Exchange | RefusedMessage;

/** It is counted before it is answered. */
export interface RefusedMessage {
  readonly refused: unknown;
  readonly body: unknown;
}

/** Reads the body to its end. Never rejects. */
export async function receive(request: Request, response: Response): Promise<Received> {
  let body: unknown;
  try {
    body = await readBody(request, response);
    return readExchange(body, mcpHeadersOf(request.headers));
  } catch (refused) {
    return { refused, body };
  }
}

/** Requests that it counts as. Each message of a batch counts, also of one that is refused. */
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
