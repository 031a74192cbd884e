import type {
  IncomingMessage,
  RequestListener,
  Server,
  ServerOptions,
  ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";

import { createServer } from "@nutrition/core/node-http";

import type { RequestLog } from "./request-log.ts";
import type { Unreadable } from "./unreadable.ts";
import { EXPECTATION_FAILED, answerUnreadable, unreadableOf } from "./unreadable.ts";

type ServingResponse = ServerResponse<IncomingMessage> & { req: IncomingMessage };

/** Bounds on slow, silent and greedy clients. */
export interface ConnectionLimits {
  /** Timeout for all headers of a request. */
  readonly headersMs: number;
  /** Time for a whole request. */
  readonly requestMs: number;
  /**
   * Timeout without a byte in either direction, such as when a client does not read its response.
   */
  readonly silenceMs: number;
  /** Interval at which late requests are detected. */
  readonly checkMs: number;
}

const LIMITS: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Longer than the longest call: a client waits silently for a write.
  silenceMs: 60_000,
  checkMs: 5_000,
};
/**
 * Longer than the idle timeout of usual load balancers, so that they never use a closed connection.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Large enough for the cookies of the pages' sessions. */
const HEADERS_MAX_BYTES = 32_768;
/** Maximum number of pipelined requests per connection. */
const SENT_AHEAD_MAX = 16;

/** Defaults are used for what is left out. */
export interface HttpServerOptions {
  readonly limits?: ConnectionLimits;
  /** Classes that the app prefers (see `messageClassesOf`). */
  readonly messages?: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
}

/**
 * Creates the HTTP server of `app`. It also answers malformed requests, and bounds the resources of
 * each client.
 */
export function createHttpServer(
  app: RequestListener,
  log: RequestLog,
  { limits = LIMITS, messages }: HttpServerOptions = {},
): Server {
  const conversations = new Conversations();
  const server = createServer(
    {
      ...messages,
      // Joins repeated Authorization headers, so that the credential is malformed instead of half
      // ignored.
      joinDuplicateHeaders: true,
      // The app refuses requests without Host, with its own message.
      requireHostHeader: false,
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    (request, response) => conversations.serve(app, request, response),
  );
  server.setTimeout(limits.silenceMs);
  server.on("clientError", (error, socket) =>
    conversations.answerUnreadable(unreadableOf(error), socket, log),
  );
  server.on("checkExpectation", ({ socket }) =>
    conversations.answerUnreadable(EXPECTATION_FAILED, socket, log),
  );
  return server;
}

/** State of one connection. */
interface Conversation {
  /** The response in progress. */
  current: ServerResponse;
  /** Pipelined requests that are waiting. */
  readonly waiting: (() => void)[];
}

/**
 * Serves the requests of a connection one at a time. Node would start all pipelined requests at
 * once, and those behind the first would not notice that the client disconnects.
 */
class Conversations {
  readonly #open = new WeakMap<Duplex, Conversation>();
  readonly #unreadable = new WeakSet<Duplex>();

  serve(app: RequestListener, request: IncomingMessage, response: ServingResponse): void {
    const { socket } = request;
    const serve = () => {
      response.once("close", () => this.#goOn(socket));
      app(request, response);
    };
    const conversation = this.#open.get(socket);
    if (!conversation) {
      this.#open.set(socket, { current: response, waiting: [] });
      serve();
    } else if (conversation.waiting.length < SENT_AHEAD_MAX) {
      conversation.waiting.push(() => {
        conversation.current = response;
        serve();
      });
    } else {
      socket.destroy();
    }
  }

  /** Nothing else on the connection is read. Without an answer, closes it at once. */
  answerUnreadable(answer: Unreadable | undefined, socket: Duplex, log: RequestLog): void {
    if (this.#unreadable.has(socket)) return;
    this.#unreadable.add(socket);
    const hasBegun = this.#open.get(socket)?.current.headersSent ?? false;
    if (!answer || hasBegun || !socket.writable) socket.destroy();
    else answerUnreadable(answer, socket, log);
  }

  #goOn(socket: Duplex): void {
    const next = this.#open.get(socket)?.waiting.shift();
    if (!next) this.#open.delete(socket);
    else if (!socket.destroyed) next();
  }
}
