import type { ServerResponse } from "node:http";

import type { HttpRefusal } from "./refusal.ts";

const JSON_TYPE = "application/json";

/** Answers with JSON as it is. */
export function sendJson(response: ServerResponse, body: Uint8Array | string, status = 200): void {
  response.statusCode = status;
  response.setHeader("Content-Type", JSON_TYPE);
  response.setHeader("Content-Length", Buffer.byteLength(body));
  // Text is written together with the headers.
  response.end(body);
}

/** Sends the error body of the public interface, exactly `{error, message}`. */
export function sendRefusal(response: ServerResponse, refusal: HttpRefusal): void {
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  response.setHeader("Cache-Control", "no-store");
  const body = JSON.stringify({ error: refusal.code, message: refusal.message });
  sendJson(response, body, refusal.status);
}
