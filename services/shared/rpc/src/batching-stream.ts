import type { ClientDuplexStream, ServiceError } from "@grpc/grpc-js";
import type { Failure } from "@nutrition/core/failure";
import { TransientMap } from "@nutrition/core/transient-map";
import type { ExchangeResponse, Reply } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import type { CallFrame, FramedCall } from "./call-frame.ts";
import { CALLS_PER_FRAME_MAX } from "./call-frame.ts";
import { FRAME_MAX_BYTES } from "./channel-options.ts";
import { cancelled, deadlineExceeded } from "./deadline.ts";
import type { OutgoingCall } from "./outgoing-call.ts";
import type { CallOptions } from "./service-definition.ts";
import { answeredFailure, unreachable } from "./unreachable.ts";

export type ExchangeStream = ClientDuplexStream<CallFrame, ExchangeResponse>;

/** How a call is cancelled. */
export type CallCancellation = Pick<CallOptions, "signal" | "onAbandoned">;

interface PendingCall {
  resolve: (reply: Reply | undefined) => void;
  reject: (failure: Failure) => void;
  release: () => void;
}

/** The client's end of one CarrierService stream. */
export class BatchingStream {
  readonly #stream: ExchangeStream;
  readonly #openedAtMs = performance.now();
  readonly #onLeave: () => void;
  readonly #pending = new TransientMap<number, PendingCall>();
  /** Calls that have not been sent. */
  readonly #calls = new TransientMap<number, FramedCall>();
  readonly #cancelled: number[] = [];
  #isFlushing = false;
  /** The callee does not keep up with what is sent. */
  #isBlocked = false;
  #nextId = 1;
  #isOpen = true;

  /** `onLeave` is called when the callee stops or the stream breaks. */
  constructor(stream: ExchangeStream, onLeave: () => void) {
    this.#stream = stream;
    this.#onLeave = onLeave;
    stream.on("data", (frame: ExchangeResponse) => this.#receive(frame));
    stream.on("drain", () => this.#unblock());
    stream.on("error", (error: ServiceError) => this.#break(error));
    stream.on("end", () => this.#break(new Error("The stream ended.")));
  }

  /** Whether new calls may be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  ageMs(): number {
    return performance.now() - this.#openedAtMs;
  }

  /** Accepts no more calls and ends once those in flight are answered. */
  retire(): void {
    this.#isOpen = false;
    this.#endWhenIdle();
  }

  /**
   * Resolves with the callee's reply, whatever its code, or with undefined if the stream accepts no
   * calls or broke before this one was sent; rejects when there will be no reply. A call that is
   * cancelled before it was sent is never sent.
   */
  send(call: OutgoingCall, { signal, onAbandoned }: CallCancellation): Promise<Reply | undefined> {
    const id = this.#nextId;
    this.#nextId = (this.#nextId % 0xffff_ffff) + 1;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled());
      if (!this.#isOpen) return resolve(undefined);
      const timer = setTimeout(() => this.#giveUp(id, deadlineExceeded()), call.timeoutMs);
      let end: (() => void) | undefined;
      const onAbort = () => {
        if (this.#calls.has(id)) return this.#giveUp(id, cancelled());
        reject(cancelled());
        onAbandoned?.(new Promise((resolve) => void (end = resolve)));
        // The call stays pending: the callee replies once it has stopped.
        this.#cancelled.push(id);
        this.#scheduleFlush();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        end?.();
      };
      this.#pending.add(id, { resolve, reject, release });
      this.#calls.add(id, { id, ...call });
      this.#scheduleFlush();
    });
  }

  #scheduleFlush(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // Calls made in the same turn of the event loop share a frame.
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#calls.size + this.#cancelled.length > 0 && !this.#isBlocked) {
      const cancelled = this.#cancelled.splice(0, CALLS_PER_FRAME_MAX);
      const frame = { calls: this.#takeCalls(), cancelled };
      if (!this.#stream.writable) return;
      this.#isBlocked = !this.#stream.write(frame);
    }
  }

  /** As many calls as fit into a frame. */
  #takeCalls(): FramedCall[] {
    const calls: FramedCall[] = [];
    let bytes = 0;
    for (const id of this.#calls.keys()) {
      const call = this.#calls.get(id);
      if (!call) continue;
      bytes += call.request.length;
      if (bytes > FRAME_MAX_BYTES && calls.length > 0) break;
      this.#calls.take(id);
      calls.push(call);
    }
    return calls;
  }

  #unblock(): void {
    this.#isBlocked = false;
    this.#flush();
    if (!this.#isOpen) this.#endWhenIdle();
  }

  #receive(frame: ExchangeResponse): void {
    for (const reply of frame.replies) this.#take(reply.id)?.resolve(reply);
    if (frame.draining) this.#leave();
    if (!this.#isOpen) this.#endWhenIdle();
  }

  #giveUp(id: number, failure: Failure): void {
    const call = this.#take(id);
    if (!call) return;
    call.reject(failure);
    const wasUnsent = this.#calls.take(id) !== undefined;
    if (!wasUnsent) this.#cancelled.push(id);
    this.#scheduleFlush();
    if (!this.#isOpen) this.#endWhenIdle();
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#pending.take(id);
    call?.release();
    return call;
  }

  #endWhenIdle(): void {
    if (this.#pending.size > 0) return;
    this.#flush();
    if (!this.#isBlocked) this.#stream.end();
  }

  #break(cause: ServiceError | Error): void {
    this.#leave();
    const answered = answeredFailure(cause);
    const failure = answered ?? unreachable(cause);
    for (const id of [...this.#pending.keys()]) {
      const wasUnsent = this.#calls.take(id) !== undefined;
      const call = this.#take(id);
      // A refusal of the stream is the answer to all of its calls.
      if (wasUnsent && !answered) call?.resolve(undefined);
      else call?.reject(failure);
    }
  }

  #leave(): void {
    if (this.#isOpen) this.#onLeave();
    this.#isOpen = false;
  }
}
