import type { ServerResponse } from "node:http";

import type { HttpRefusal } from "./refusal.ts";

const JSON_TYPE = "application/json";

/** Answers with JSON bytes as they are. */
export function sendJson(response: ServerResponse, body: Uint8Array | string, status = 200): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  response.statusCode = status;
  response.setHeader("Content-Type", JSON_TYPE);
  response.setHeader("Content-Length", bytes.byteLength);
  response.end(bytes);
}

/** Answers with the error body of the public interface, exactly `{error, message}`. */
export function sendRefusal(response: ServerResponse, refusal: HttpRefusal): void {
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  response.setHeader("Cache-Control", "no-store");
  const body = JSON.stringify({ error: refusal.code, message: refusal.message });
  sendJson(response, body, refusal.status);
}
