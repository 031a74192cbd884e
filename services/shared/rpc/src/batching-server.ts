import type { ServerDuplexStream } from "@grpc/grpc-js";
import { create, toBinary } from "@bufbuild/protobuf";
import { bufferView } from "@nutrition/core/buffer-view";
import { FAILURE_KINDS, toFailure } from "@nutrition/core/failure";
import { TransientMap } from "@nutrition/core/transient-map";
import { ExchangeResponseSchema } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import type { CallFrame, FramedCall } from "./call-frame.ts";
import { FRAME_MAX_BYTES } from "./channel-options.ts";
import { LazyDeadline } from "./deadline.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { IdentityVerifier, VerifiedServiceToken } from "./identity.ts";
import { encodeReplies } from "./reply-frame.ts";
import type { ReplyFrame } from "./reply-frame.ts";
import { encodeFailure } from "./status.ts";
import { tokenExpired } from "./token-format.ts";

/** Messages are already serialized. */
export type ExchangeStream = ServerDuplexStream<CallFrame, Buffer>;

const OK = 0;
/**
 * Time for a caller to end a stream whose token has expired. Its calls are refused meanwhile, which
 * tells it to send them again on another stream.
 */
const EXPIRED_MAX_MS = 5_000;
const DRAINING = bufferView(
  toBinary(ExchangeResponseSchema, create(ExchangeResponseSchema, { draining: true })),
);

export interface BatchingSessionOptions {
  dispatcher: Dispatcher;
  identity: IdentityVerifier;
  /** The service that opened the stream. */
  proof: VerifiedServiceToken;
}

/**
 * Answers the calls of one CarrierService stream; see carrier.proto. It keeps only the calls in
 * flight, and accepts no more while the caller leaves replies unread.
 */
export class BatchingSession {
  readonly #stream: ExchangeStream;
  readonly #options: BatchingSessionOptions;
  readonly #inFlight = new TransientMap<number, LazyDeadline>();
  #proofTimer: NodeJS.Timeout;
  #replies: ReplyFrame[] = [];
  /** No more calls will arrive. */
  #isEnding = false;

  constructor(stream: ExchangeStream, options: BatchingSessionOptions) {
    this.#stream = stream;
    this.#options = options;
    const { identity, proof } = options;
    this.#proofTimer = setTimeout(() => this.#expire(), identity.remainingMs(proof));
    stream.on("data", (frame: CallFrame) => this.#receive(frame));
    stream.on("drain", () => stream.resume());
    stream.on("end", () => this.#endWhenIdle());
    stream.on("error", () => this.#cancelAll());
    stream.on("cancelled", () => this.#cancelAll());
    stream.on("close", () => clearTimeout(this.#proofTimer));
  }

  /**
   * Asks the client to switch to another stream. Calls that it sent before receiving the request
   * are still answered; then the stream ends.
   */
  drain(): void {
    this.#write(DRAINING);
  }

  #expire(): void {
    this.drain();
    this.#proofTimer = setTimeout(() => this.#endWhenIdle(), EXPIRED_MAX_MS);
  }

  #receive(frame: CallFrame): void {
    for (const call of frame.calls) void this.#answer(call);
    for (const id of frame.cancelled) this.#inFlight.get(id)?.cancel();
  }

  async #answer(call: FramedCall): Promise<void> {
    const deadline = new LazyDeadline(call.timeoutMs);
    this.#inFlight.add(call.id, deadline);
    try {
      const body = await this.#dispatch(call, deadline);
      this.#reply({ id: call.id, code: OK, body });
    } catch (error) {
      const failure = toFailure(error);
      const code = FAILURE_KINDS[failure.kind].grpc;
      this.#reply({ id: call.id, code, body: encodeFailure(failure) });
    } finally {
      deadline.end();
      this.#inFlight.take(call.id);
    }
  }

  async #dispatch(call: FramedCall, deadline: LazyDeadline): Promise<Uint8Array> {
    const { dispatcher, identity, proof } = this.#options;
    if (identity.hasEnded(proof)) throw tokenExpired();
    return dispatcher.dispatch({ ...call, caller: proof.service, deadline });
  }

  #reply(reply: ReplyFrame): void {
    // Replies that become ready in the same turn of the event loop share a frame.
    if (this.#replies.push(reply) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const replies = this.#replies;
    this.#replies = [];
    for (let start = 0; start < replies.length;) {
      const end = endOfFrame(replies, start);
      this.#write(encodeReplies(replies.slice(start, end)));
      start = end;
    }
    if (this.#isEnding) this.#endWhenIdle();
  }

  #write(frame: Buffer): void {
    if (!this.#stream.writable) return;
    // A caller that reads no replies cannot send more calls.
    if (!this.#stream.write(frame)) this.#stream.pause();
  }

  #endWhenIdle(): void {
    this.#isEnding = true;
    if (this.#inFlight.size === 0 && this.#replies.length === 0) this.#stream.end();
  }

  #cancelAll(): void {
    for (const id of this.#inFlight.keys()) this.#inFlight.get(id)?.cancel();
  }
}

/** Index after the last reply that fits into a frame that begins at `start`. */
function endOfFrame(replies: readonly ReplyFrame[], start: number): number {
  let bytes = 0;
  for (let index = start; index < replies.length; index += 1) {
    bytes += replies[index]?.body.length ?? 0;
    if (bytes > FRAME_MAX_BYTES && index > start) return index;
  }
  return replies.length;
}
