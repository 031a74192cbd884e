import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";

import { expect, it } from "vitest";

import type { ExchangeStream } from "./batching-stream.ts";
import { BatchingStream } from "./batching-stream.ts";
import type { OutgoingCall } from "./outgoing-call.ts";

const CALL: OutgoingCall = {
  method: "/nutrition.limits.v1.LimitsService/Count",
  request: new Uint8Array(),
  timeoutMs: 5_000,
  user: undefined,
  userAssertion: "",
  onwardAssertion: "",
  traceparent: "",
};

/** A stream that accepts everything and answers nothing. */
class SilentStream extends EventEmitter {
  readonly writable = true;
  readonly frames: unknown[] = [];

  write(frame: unknown): boolean {
    this.frames.push(frame);
    return true;
  }

  end(): void {}
}

function open(): { exchange: SilentStream; stream: BatchingStream } {
  const exchange = new SilentStream();
  const stream = new BatchingStream(exchange as unknown as ExchangeStream, () => {});
  return { exchange, stream };
}

it("tells the caller when a call was not sent before the stream broke, so that another instance gets it", async () => {
  const { exchange, stream } = open();
  const call = stream.send(CALL, {});
  exchange.emit("error", new Error("The connection was lost."));
  expect(await call).toBeUndefined();
  expect(exchange.frames).toEqual([]);
  expect(await stream.send(CALL, {})).toBeUndefined();
});

it("fails a call that was sent before the stream broke, because it may have been executed", async () => {
  const { exchange, stream } = open();
  const call = stream.send(CALL, {});
  await setImmediate();
  expect(exchange.frames).toHaveLength(1);
  exchange.emit("error", new Error("The connection was lost."));
  await expect(call).rejects.toMatchObject({ reason: "SERVICE_UNREACHABLE" });
});
