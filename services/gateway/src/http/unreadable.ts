import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { STATUS_CODES } from "@nutrition/core/node-http";

import type { ErrorCode } from "./refusal.ts";
import type { RequestLog } from "./request-log.ts";

/** Time for a client to read the response before its connection is closed. */
const LINGER_MS = 1_000;
/** Takes the place of the path in the log, which an unreadable request does not have. */
const UNREADABLE_ROUTE = "(unreadable)";

export interface Unreadable {
  readonly status: number;
  readonly error: ErrorCode;
  readonly message: string;
}

const TOO_LONG: Unreadable = {
  status: 431,
  error: "payload_too_large",
  message: "The request line and the headers together must be at most 32 KiB.",
};

const TOO_SLOW: Unreadable = {
  status: 408,
  error: "invalid_request",
  message:
    "The request did not arrive in time. Send the headers within 10 s and the whole request within 30 s.",
};

const TOO_MANY_EXTENSIONS: Unreadable = {
  status: 413,
  error: "payload_too_large",
  message: "The body has too many chunk extensions. Send it without them.",
};

const MALFORMED: Unreadable = {
  status: 400,
  error: "invalid_request",
  message: "The request is not valid HTTP/1.1. Send it again with a standard HTTP client.",
};

const EXPECTATION_FAILED: Unreadable = {
  status: 417,
  error: "invalid_request",
  message: "Only the expectation 100-continue is supported. Send the request without Expect.",
};

/** By the code of Node's error. */
const BY_CODE: ReadonlyMap<string, Unreadable> = new Map([
  ["HPE_HEADER_OVERFLOW", TOO_LONG],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", TOO_MANY_EXTENSIONS],
  ["ERR_HTTP_REQUEST_TIMEOUT", TOO_SLOW],
]);

/** The response to an unparseable request; undefined if the connection broke. */
export function unreadableOf(error: Error): Unreadable | undefined {
  const code = "code" in error ? String(error.code) : "";
  return BY_CODE.get(code) ?? (code.startsWith("HPE_") ? MALFORMED : undefined);
}

/** Responds on a bare connection and closes it. */
export function answerUnreadable(answer: Unreadable, socket: Duplex, log: RequestLog): void {
  log.write({ route: UNREADABLE_ROUTE, status: answer.status, reason: answer.error });
  const body = bodyOf(answer);
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Closing the connection at once, with unread bytes, would reset it and lose the response.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Answers a request with an unsupported expectation (RFC 9110 §10.1.1). */
export function answerExpectation(response: ServerResponse, log: RequestLog): void {
  const { status, error: reason } = EXPECTATION_FAILED;
  log.write({ route: UNREADABLE_ROUTE, status, reason });
  const body = bodyOf(EXPECTATION_FAILED);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    Connection: "close",
  });
  response.end(body);
}

function bodyOf({ error, message }: Unreadable): string {
  return JSON.stringify({ error, message });
}
