import type { Duplex } from "node:stream";

import { STATUS_CODES } from "@nutrition/core/node-http";

import type { ErrorCode } from "./refusal.ts";
import type { RequestLog } from "./request-log.ts";

/** Time for a client to read the response before its connection is closed. */
const LINGER_MS = 1_000;
/** Takes the place of the path in the log, which an unreadable request does not have. */
const UNREADABLE_ROUTE = "(unreadable)";

/** The response to a request that cannot be read. */
export interface Unreadable {
  readonly status: number;
  readonly error: ErrorCode;
  readonly message: string;
}

export const EXPECTATION_FAILED: Unreadable = {
  status: 417,
  error: "invalid_request",
  message: "Only the expectation 100-continue is supported. Send the request without Expect.",
};

const MALFORMED: Unreadable = {
  status: 400,
  error: "invalid_request",
  message: "The request is not valid HTTP/1.1. Send it again with a standard HTTP client.",
};

/** By the code of Node's error. */
const BY_CODE: ReadonlyMap<string, Unreadable> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    {
      status: 431,
      error: "payload_too_large",
      message: "The request line and the headers together must be at most 32 KiB.",
    },
  ],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    {
      status: 413,
      error: "payload_too_large",
      message: "The body has too many chunk extensions. Send it without them.",
    },
  ],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    {
      status: 408,
      error: "invalid_request",
      message:
        "The request did not arrive in time. Send the headers within 10 s and the whole request within 30 s.",
    },
  ],
]);

/** The response to an unparseable request; undefined if the connection broke. */
export function unreadableOf(error: Error): Unreadable | undefined {
  const code = "code" in error ? String(error.code) : "";
  return BY_CODE.get(code) ?? (code.startsWith("HPE_") ? MALFORMED : undefined);
}

/** Responds on a bare connection and closes it. */
export function answerUnreadable(answer: Unreadable, socket: Duplex, log: RequestLog): void {
  const { status, error, message } = answer;
  log.write({ route: UNREADABLE_ROUTE, status, reason: error });
  const body = JSON.stringify({ error, message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Closing the connection at once, with unread bytes, would reset it and lose the response.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
