import type { IncomingHttpHeaders } from "node:http";

import type { Request, Response } from "express";
import { Router } from "express";

import type { Admission } from "../access/admission.ts";
import { assertMayRead } from "../access/admission.ts";
import type { Principal } from "../access/principal.ts";
import { mayRead } from "../access/principal.ts";
import { allowOnly } from "../http/method-not-allowed.ts";
import type { RequestState } from "../http/request-state.ts";
import { stateOf } from "../http/request-state.ts";
import { sendJson } from "../http/send.ts";
import type { Dispatcher, RequestContext } from "./dispatcher.ts";
import type { Exchange } from "./exchange.ts";
import { BATCH_MAX, readExchange } from "./exchange.ts";
import type { McpHeaders } from "./modern-checks.ts";
import type { Message, RequestMessage } from "./protocol.ts";
import { ProtocolFault, faultText, idOf } from "./protocol.ts";
import { readBody } from "./read-body.ts";
import type { SiteCheck } from "./site-check.ts";

const PATH = "/mcp";
const ACCEPTED = 202;

export interface McpOptions {
  readonly admission: Admission;
  readonly dispatcher: Dispatcher;
  readonly siteCheck: SiteCheck;
}

/** The tool endpoint: stateless, JSON answers only, both protocol eras. */
export function mcpRoutes(options: McpOptions): Router {
  const router = Router({ caseSensitive: true });
  router
    .route(PATH)
    .post((request, response) => {
      stateOf(response).route = PATH;
      return answerPost(options, request, response);
    })
    .all(allowOnly("POST", PATH));
  return router;
}

async function answerPost(options: McpOptions, request: Request, response: Response) {
  const { admission, dispatcher, siteCheck } = options;
  const { authenticator, counter } = admission;
  siteCheck.assertAllowed(request.headers);
  const caller = { headers: request.headers, ip: request.ip ?? "" };
  let principal = await authenticator.authenticate(caller);
  const state = stateOf(response);
  state.accountId = principal.user.accountId;
  response.setHeader("Cache-Control", "no-store");
  const received = await receive(request, response);
  const writes = isWrite(received, dispatcher);
  if (writes) principal = await authenticator.authenticateNow(caller);
  const reply = () => replyTo(received, { dispatcher, principal, state });
  // A read is made while it is counted; what a refused request read is thrown away.
  const early = !writes && mayRead(principal) && costOf(received) === 1 ? reply() : undefined;
  early?.catch(() => {});
  await counter.count(principal, response, costOf(received));
  assertMayRead(principal);
  const { status, text } = await (early ?? reply());
  if (text === undefined) response.status(status).end();
  else sendJson(response, text, status);
}

/** A body that could not be made sense of; it is counted before it is answered. */
interface Refused {
  readonly refused: unknown;
  readonly body: unknown;
}

async function receive(request: Request, response: Response): Promise<Exchange | Refused> {
  let body: unknown;
  try {
    body = await readBody(request, response);
    return readExchange(body, mcpHeadersOf(request.headers));
  } catch (refused) {
    return { refused, body };
  }
}

function mcpHeadersOf(headers: IncomingHttpHeaders): McpHeaders {
  const textOf = (name: string) => headers[name]?.toString();
  return {
    version: textOf("mcp-protocol-version"),
    method: textOf("mcp-method"),
    name: textOf("mcp-name"),
  };
}

function isWrite(received: Exchange | Refused, dispatcher: Dispatcher): boolean {
  if ("refused" in received) return false;
  return received.messages.filter(isRequest).some((message) => dispatcher.isWrite(message));
}

/** Each message of a batch counts, also of one that is refused. */
function costOf(received: Exchange | Refused): number {
  if (!("refused" in received)) return received.messages.length;
  const { body } = received;
  return Array.isArray(body) ? Math.min(Math.max(body.length, 1), BATCH_MAX) : 1;
}

/** What an HTTP request is answered with; nothing but the status for notifications. */
interface Reply {
  status: number;
  text?: string;
}

interface Answering {
  dispatcher: Dispatcher;
  principal: Principal;
  state: RequestState;
}

async function replyTo(received: Exchange | Refused, answering: Answering): Promise<Reply> {
  if ("refused" in received) return refusalReply(received);
  const { dispatcher, principal, state } = answering;
  const { era, version, messages, isBatch } = received;
  const onError = (error: unknown) => void (state.error = error);
  const context = { era, version, principal, requestId: state.requestId, onError };
  const requests = messages.filter(isRequest);
  const answers = await Promise.all(
    requests.map((request) => answerOf(dispatcher, request, context)),
  );
  const [first] = answers;
  if (!first) return { status: ACCEPTED };
  if (!isBatch) return first;
  return { status: 200, text: `[${answers.map(({ text }) => text).join(",")}]` };
}

function refusalReply({ refused, body }: Refused): Reply {
  if (!(refused instanceof ProtocolFault)) throw refused;
  return { status: refused.httpStatus, text: faultText(idOf(body), refused) };
}

async function answerOf(dispatcher: Dispatcher, request: RequestMessage, context: RequestContext) {
  try {
    return { status: 200, text: await dispatcher.answer(request, context) };
  } catch (error) {
    if (!(error instanceof ProtocolFault)) throw error;
    return { status: error.httpStatus, text: faultText(request.id, error) };
  }
}

function isRequest(message: Message): message is RequestMessage {
  return message.kind === "request";
}
