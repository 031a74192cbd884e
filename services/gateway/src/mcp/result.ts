import type { RequestId } from "@modelcontextprotocol/server";

import type { JsonPieces } from "../domain/json-pieces.ts";
import { joinTexts } from "../domain/json-pieces.ts";
import type { ProtocolFault } from "./protocol.ts";
import { faultText } from "./protocol.ts";

/** The result of a request: its members without the braces. */
export type Result = JsonPieces;

/** The JSON-RPC response to one message. `status` is the HTTP status if it is sent alone. */
export interface Answer {
  readonly status: number;
  readonly body: JsonPieces;
}

/** The response with this result. */
export function answerOf(id: RequestId, result: Result): Answer {
  const opening = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`;
  return { status: 200, body: joinTexts([opening, ...result, "}}"]) };
}

/** The error response to a message that violates the protocol. */
export function faultAnswer(id: RequestId | null, fault: ProtocolFault): Answer {
  return { status: fault.httpStatus, body: [faultText(id, fault)] };
}
