import type { RequestId } from "@modelcontextprotocol/server";

import type { JsonPieces } from "../http/json-pieces.ts";

/** The result of a request, to be serialized. */
export interface Result {
  /** Its members as JSON text, without the braces. With `lastValue`, the text ends after that member's colon. */
  readonly members: string;
  /** JSON of the last member's value. */
  readonly lastValue?: Uint8Array | string;
}

/** The response with this result. */
export function responseOf(id: RequestId, { members, lastValue }: Result): JsonPieces {
  const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}`;
  return lastValue === undefined ? [`${text}}}`] : [text, lastValue, "}}"];
}
