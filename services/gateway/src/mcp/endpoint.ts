import type { Request, Response } from "express";
import { Router } from "express";

import type { Admission } from "../access/admission.ts";
import { assertMayRead } from "../access/admission.ts";
import { mayRead } from "../domain/principal.ts";
import type { AdmittedRequest } from "../access/admitted-request.ts";
import { crossOrigin } from "../http/cross-origin.ts";
import { allowOnly } from "../http/method-not-allowed.ts";
import { stateOf } from "../http/request-state.ts";
import { sendJson } from "../http/send.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { RequestMessage } from "./protocol.ts";
import type { ReceivedBody } from "./read-body.ts";
import { receiveBody } from "./read-body.ts";
import type { Received } from "./received.ts";
import { costOf, readMessages } from "./received.ts";
import type { Answering, Reply } from "./reply.ts";
import { replyTo } from "./reply.ts";
import type { OriginGuard } from "./origin-guard.ts";

const PATH = "/mcp";
/** Methods whose answers depend on whether the account is premium. */
const LISTS = new Set(["initialize", "server/discover", "tools/list", "resources/list"]);

export interface McpOptions {
  readonly admission: Admission;
  readonly dispatcher: Dispatcher;
  readonly originGuard: OriginGuard;
}

/** The tool endpoint: stateless, JSON responses only, both protocol eras. */
export function mcpRoutes(options: McpOptions): Router {
  const { admission, originGuard } = options;
  const router = Router({ caseSensitive: true });
  const isOriginAllowed = (origin: string) => originGuard.isOriginAllowed(origin);
  router
    .route(PATH)
    .all(crossOrigin({ isOriginAllowed, methods: "POST" }))
    .post((request, response) => {
      stateOf(response).route = PATH;
      originGuard.assertAllowed(request.headers);
      return admission.admit(request, response, {
        receive: () => receiveBody(request, response),
        answer: (admitted, body) =>
          answerPost(options.dispatcher, admitted, { request, response, body }),
      });
    })
    .all(allowOnly("POST", PATH));
  return router;
}

interface Post {
  readonly request: Request;
  readonly response: Response;
  readonly body: ReceivedBody;
}

async function answerPost(
  dispatcher: Dispatcher,
  admitted: AdmittedRequest,
  { request, response, body: bytes }: Post,
): Promise<void> {
  response.setHeader("Cache-Control", "no-store");
  const received = readMessages(bytes, request.headers);
  const answering = { dispatcher, admitted, state: stateOf(response) };
  if (someRequest(received, ({ method }) => LISTS.has(method))) {
    await admitted.learnEntitlements();
  }
  const reply = someRequest(received, (message) => dispatcher.isWrite(message))
    ? await write(received, answering)
    : await read(received, answering);
  const { status, body } = reply;
  if (body === undefined) response.status(status).end();
  else sendJson(response, body, status);
}

function someRequest(received: Received, holds: (message: RequestMessage) => boolean): boolean {
  if ("refused" in received) return false;
  return received.messages.some((message) => message.kind === "request" && holds(message));
}

async function write(received: Received, answering: Answering): Promise<Reply> {
  const { admitted } = answering;
  await admitted.authenticateNow();
  await admitted.count(costOf(received));
  assertMayRead(admitted.principal);
  return replyTo(received, answering);
}

async function read(received: Received, answering: Answering): Promise<Reply> {
  const { admitted } = answering;
  const cost = costOf(received);
  // A batch of reads is too expensive to start before its count is known.
  const isCountedMeanwhile = cost === 1 && mayRead(admitted.principal);
  if (!isCountedMeanwhile) {
    await admitted.count(cost);
    assertMayRead(admitted.principal);
  }
  const answer = () => replyTo(received, answering);
  const reply = await (isCountedMeanwhile ? admitted.countWhile(answer) : answer());
  if (reply.hasFailed) admitted.refundCount();
  return reply;
}
