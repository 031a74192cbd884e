import type { RequestId } from "@modelcontextprotocol/server";

import type { JsonPieces } from "../domain/json-pieces.ts";
import { joinTexts } from "../domain/json-pieces.ts";

/** The result of a request: its members without the braces. */
export type Result = JsonPieces;

/** The response with this result. */
export function responseOf(id: RequestId, result: Result): JsonPieces {
  return joinTexts([`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`, ...result, "}}"]);
}
