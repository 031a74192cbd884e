import type { IncomingMessage, ServerResponse } from "node:http";

/** About the connection to the service behind us, not the client's (RFC 9110 §7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Passes the answer of a service behind us on, except what is only about the connection to it: whether the
 * client's connection stays open is for our own server to say. For a proxy with `selfHandleResponse`, which
 * destroys one end when the other breaks off.
 */
export function passAnswer(answer: IncomingMessage, response: ServerResponse): void {
  response.statusCode = answer.statusCode ?? 502;
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
  }
  answer.pipe(response);
}
