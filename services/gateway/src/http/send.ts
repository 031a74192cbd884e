import type { ServerResponse } from "node:http";
import { brotliCompress, constants, gzip } from "node:zlib";

import { contentCodingFor } from "./accept-encoding.ts";
import type { JsonPieces } from "../domain/json-pieces.ts";
import { textOf } from "../domain/json-pieces.ts";
import type { HttpRefusal } from "./refusal.ts";

const JSON_TYPE = "application/json";
/** Compressing smaller responses would save at most a packet or two. */
export const COMPRESSED_FROM_BYTES = 4_096;
/**
 * 90 days of a journal are 226 kB: with Brotli 22 kB in 1.0 ms of CPU, with gzip 26 kB in 1.5 ms
 * (docs/decisions/0023).
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
const GZIP = { level: 5 };

/**
 * Sends JSON, compressed from 4 kB on for clients that accept compression. This is safe from BREACH: no
 * response of the gateway contains a secret beside text that an attacker chooses, and pages with form tokens
 * are not sent here.
 */
export function sendJson(
  response: ServerResponse,
  body: Uint8Array | string | JsonPieces,
  status = 200,
): void {
  response.statusCode = status;
  response.setHeader("Content-Type", JSON_TYPE);
  const pieces = typeof body === "string" || body instanceof Uint8Array ? [body] : body;
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  if (length < COMPRESSED_FROM_BYTES) return send(response, pieces, length);
  response.appendHeader("Vary", "Accept-Encoding");
  const coding = contentCodingFor(response.req.headers["accept-encoding"]);
  if (coding === undefined) return send(response, pieces, length);
  // Compresses in another thread, so that this one continues to serve requests.
  const sendCompressed = (error: Error | null, compressed: Buffer) => {
    if (error) return send(response, pieces, length);
    response.setHeader("Content-Encoding", coding);
    send(response, [compressed], compressed.byteLength);
  };
  const [whole] = pieces;
  const input = pieces.length === 1 && whole !== undefined ? whole : textOf(pieces);
  if (coding === "br") brotliCompress(input, BROTLI, sendCompressed);
  else gzip(input, GZIP, sendCompressed);
}

function send(response: ServerResponse, pieces: JsonPieces, length: number): void {
  response.setHeader("Content-Length", length);
  const firstPieces = pieces.slice(0, -1);
  // Hands the headers and all pieces to the system together.
  if (firstPieces.length > 0) response.cork();
  for (const piece of firstPieces) response.write(piece);
  response.end(pieces.at(-1));
}

/** Sends the error body of the public interface, exactly `{error, message}`. */
export function sendRefusal(response: ServerResponse, refusal: HttpRefusal): void {
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  response.setHeader("Cache-Control", "no-store");
  const body = JSON.stringify({ error: refusal.code, message: refusal.message });
  sendJson(response, body, refusal.status);
}
