import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { ModelLine } from "../../src/model/chat-messages.ts";

/** A received request. */
export interface ChatRequest {
  authorization: string | undefined;
  body: {
    model: string;
    max_completion_tokens: number;
    messages: { role: string; content: string }[];
    response_format: {
      type: string;
      json_schema: { name: string; strict: boolean; schema: Record<string, unknown> };
    };
  };
}

/** The answer to one request. */
export type ChatReply =
  | { lines: ModelLine[] }
  | { content: string }
  | { refusal: string }
  | { status: number }
  | { raw: string }
  | "never";

/** A server that speaks the wire format of the chat completions API, with replies to order. */
export interface ChatServer extends AsyncDisposable {
  /** Base address, as it is configured. */
  readonly url: string;
  readonly requests: ChatRequest[];
  /** Maximum number of concurrent requests so far. */
  readonly openMax: number;
  /** Answers from now on; repeats the last one. */
  reply(...replies: ChatReply[]): void;
}

export const USAGE = { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1_000 };

export async function startChatServer(): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  let replies: ChatReply[] = [];
  let [open, openMax] = [0, 0];
  const server = createServer(async (request, response) => {
    open += 1;
    openMax = Math.max(openMax, open);
    response.once("close", () => (open -= 1));
    requests.push({ authorization: request.headers.authorization, body: await bodyOf(request) });
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? "never";
    if (request.url === "/v1/chat/completions") answer(response, reply);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get openMax() {
      return openMax;
    },
    reply: (...given) => (replies = given),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<ChatRequest["body"]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest["body"];
}

function answer(response: ServerResponse, reply: ChatReply): void {
  if (reply === "never") return;
  if ("status" in reply) return send(response, reply.status, ERROR);
  if ("raw" in reply) {
    response.writeHead(200, { "Content-Type": "application/json" }).end(reply.raw);
    return;
  }
  const refusal = "refusal" in reply ? reply.refusal : null;
  const content =
    "lines" in reply
      ? JSON.stringify({ lines: reply.lines })
      : "content" in reply
        ? reply.content
        : null;
  send(response, 200, completion({ role: "assistant", content, refusal }));
}

const ERROR = { error: { message: "to order", type: "server_error", param: null, code: null } };

function completion(message: object) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "test-model",
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: USAGE,
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  const headers = { "Content-Type": "application/json", "Retry-After-Ms": "1" };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
