import { Dispatcher } from "@nutrition/gateway/mcp/dispatcher";
import { readExchange } from "@nutrition/gateway/mcp/exchange";
import { textOf } from "@nutrition/gateway/domain/json-pieces";
import { CallScope } from "@nutrition/rpc/call-scope";

import {
  CALL,
  cannedTools,
  createSdkHandler,
} from "../../../services/gateway/test/differential/sdk-server.ts";
import { headersOf, toolCall } from "./messages.ts";

const WARM_UP = 2_000;
const CALLS = 10_000;
const ROUNDS = 5;
const TOOL = "get_nutrition_summary";

/**
 * CPU time of a call in microseconds, from the request's text to the response's, without backends.
 */
export interface HandlerMicros {
  ours: number;
  /** The SDK's own stateless handler with its low-level server and the same tools. */
  sdk: number;
}

/** Measures both in turns, and takes the minimum of each: interference only adds. */
export async function measureHandlers(): Promise<HandlerMicros> {
  const [ours, sdk] = [ourHandler(), sdkHandler()];
  if (JSON.parse(await ours()).result.structuredContent === undefined) throw new Error("No result");
  if (JSON.parse(await sdk()).result.structuredContent === undefined) throw new Error("No result");
  const least = { ours: Infinity, sdk: Infinity };
  for (let round = 0; round < ROUNDS; round += 1) {
    least.ours = Math.min(least.ours, await microsOf(ours));
    least.sdk = Math.min(least.sdk, await microsOf(sdk));
  }
  return least;
}

function ourHandler(): () => Promise<string> {
  const dispatcher = new Dispatcher(cannedTools(), CALL.site);
  const { body } = toolCall(TOOL, {});
  const version = "2026-07-28";
  const headers = { version, method: "tools/call", name: TOOL };
  const principal = { user: CALL.user, hasPremiumAccess: true };
  const callbacks = { onError: () => {}, onAnswered: () => {} };
  const context = { era: "modern", version, principal, requestId: "", ...callbacks } as const;
  return async () => {
    const { messages } = readExchange(JSON.parse(body), headers);
    const [message] = messages;
    if (message?.kind !== "request") throw new Error("The message is not a request.");
    const answer = await dispatcher.answer(message, { ...context, calls: new CallScope() });
    return textOf(answer.body);
  };
}

function sdkHandler(): () => Promise<string> {
  const handler = createSdkHandler();
  const { body } = toolCall(TOOL, {});
  const headers = {
    ...headersOf("tools/call", TOOL),
    accept: "application/json, text/event-stream",
  };
  return async () => {
    const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
    return (await handler.fetch(request)).text();
  };
}

async function microsOf(call: () => Promise<string>): Promise<number> {
  for (let count = 0; count < WARM_UP; count += 1) await call();
  const started = process.cpuUsage();
  for (let count = 0; count < CALLS; count += 1) Buffer.from(await call());
  const { user, system } = process.cpuUsage(started);
  return (user + system) / CALLS;
}
