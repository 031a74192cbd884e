import { FairQueue } from "@nutrition/core/fair-queue";

import type { AdmittedRequest } from "../access/admitted-request.ts";
import type { JsonPieces } from "../domain/json-pieces.ts";
import { textOf } from "../domain/json-pieces.ts";
import type { RequestState } from "../http/request-state.ts";
import { isOurFault } from "../http/refusal.ts";
import type { Dispatcher, RequestContext } from "./dispatcher.ts";
import { BATCH_MAX } from "./exchange.ts";
import type { InvalidMember, Message, RequestMessage } from "./protocol.ts";
import { ProtocolFault, idOf } from "./protocol.ts";
import type { Received, RefusedMessage } from "./received.ts";
import type { Answer } from "./result.ts";
import { faultAnswer } from "./result.ts";

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
  readonly body?: JsonPieces;
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
  const [request] = requests;
  if (!request) return { status: ACCEPTED };
  if (!isBatch) {
    const { status, body } = await answerTo(request, dispatcher, context);
    return { status, body, hasFailed: faults === 1 };
  }
  const texts = await answerBatch(requests, dispatcher, context);
  return { status: 200, body: [`[${texts.join(",")}]`], hasFailed: faults === requests.length };
}

/** The texts of the responses, in the order of the requests. */
async function answerBatch(
  requests: readonly (RequestMessage | InvalidMember)[],
  dispatcher: Dispatcher,
  context: RequestContext,
): Promise<string[]> {
  const turns = new FairQueue(BATCH_TURNS);
  const answers = await Promise.all(
    requests.map((request) =>
      turns.run("", () => answerTo(request, dispatcher, context), context.calls.signal),
    ),
  );
  return answers.map(({ body }) => textOf(body));
}

function refusalReply({ refused, body }: RefusedMessage, state: RequestState): Reply {
  if (!(refused instanceof ProtocolFault)) throw refused;
  state.reason = String(refused.code);
  return faultAnswer(idOf(body), refused);
}

function wantsAnswer(message: Message): message is RequestMessage | InvalidMember {
  return message.kind === "request" || message.kind === "invalid";
}

function answerTo(
  message: RequestMessage | InvalidMember,
  dispatcher: Dispatcher,
  context: RequestContext,
): Promise<Answer> {
  if (message.kind === "request") return dispatcher.answer(message, context);
  return Promise.resolve(faultAnswer(message.id, message.fault));
}
