import { FairQueue } from "@nutrition/core/fair-queue";

import type { AdmittedRequest } from "../access/admitted-request.ts";
import type { RequestState } from "../http/request-state.ts";
import { isOurFault } from "../http/refusal.ts";
import type { Dispatcher, RequestContext } from "./dispatcher.ts";
import type { Exchange } from "./exchange.ts";
import { BATCH_MAX } from "./exchange.ts";
import type { InvalidMember, Message, RequestMessage } from "./protocol.ts";
import { ProtocolFault, faultText, idOf } from "./protocol.ts";
import type { Received, RefusedMessage } from "./received.ts";

const ACCEPTED = 202;

/** Messages of a batch answered concurrently: a batch is one request. */
const BATCH_TURNS = {
  slots: 4,
  slotsPerKey: 4,
  waitingMax: BATCH_MAX,
  waitingPerKeyMax: BATCH_MAX,
};

/** The response to an HTTP request; without a body for notifications. */
export interface Reply {
  readonly status: number;
  readonly text?: string;
  /** Whether every message failed because of an error on our side. */
  readonly hasFailed?: boolean;
}

export interface Answering {
  readonly dispatcher: Dispatcher;
  readonly admitted: AdmittedRequest;
  readonly state: RequestState;
}

/** Answers the received messages. Rejects with an `HttpRefusal`, or with `cancelled` after a disconnect. */
export async function replyTo(received: Received, answering: Answering): Promise<Reply> {
  const { dispatcher, admitted, state } = answering;
  if ("refused" in received) return refusalReply(received, state);
  const { era, version, isBatch } = received;
  const { principal, calls } = admitted;
  let faults = 0;
  const onError = (error: unknown) => {
    if (calls.isCancelled) return;
    state.error = error;
    if (isOurFault(error)) faults += 1;
  };
  const onAnswered: RequestContext["onAnswered"] = ({ method, tool }, reason) => {
    state.mcp ??= tool ?? method;
    if (reason !== undefined) state.reason ??= reason;
  };
  const { requestId } = state;
  const context = { era, version, principal, calls, requestId, onError, onAnswered };
  const requests = received.messages.filter(wantsAnswer);
  const turns = new FairQueue(BATCH_TURNS);
  const answers = await Promise.all(
    requests.map((request) =>
      turns.run("", () => answerTo(request, dispatcher, context), calls.signal),
    ),
  );
  const [first] = answers;
  if (!first) return { status: ACCEPTED };
  const hasFailed = faults === requests.length;
  if (!isBatch) return { ...first, hasFailed };
  return { status: 200, text: `[${answers.map(({ text }) => text).join(",")}]`, hasFailed };
}

/** The requests among the messages. */
export function requestsOf({ messages }: Exchange): RequestMessage[] {
  return messages.filter(isRequest);
}

function isRequest(message: Message): message is RequestMessage {
  return message.kind === "request";
}

function refusalReply({ refused, body }: RefusedMessage, state: RequestState): Reply {
  if (!(refused instanceof ProtocolFault)) throw refused;
  state.reason = String(refused.code);
  return { status: refused.httpStatus, text: faultText(idOf(body), refused) };
}

function wantsAnswer(message: Message): message is RequestMessage | InvalidMember {
  return message.kind === "request" || message.kind === "invalid";
}

async function answerTo(
  message: RequestMessage | InvalidMember,
  dispatcher: Dispatcher,
  context: RequestContext,
) {
  if (message.kind === "request") return answerOf(dispatcher, message, context);
  return { status: message.fault.httpStatus, text: faultText(message.id, message.fault) };
}

async function answerOf(dispatcher: Dispatcher, request: RequestMessage, context: RequestContext) {
  try {
    return { status: 200, text: await dispatcher.answer(request, context) };
  } catch (error) {
    if (!(error instanceof ProtocolFault)) throw error;
    return { status: error.httpStatus, text: faultText(request.id, error) };
  }
}
