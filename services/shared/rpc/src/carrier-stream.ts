import type { ClientDuplexStream } from "@grpc/grpc-js";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { Failure } from "@nutrition/core/failure";
import type {
  CallSchema,
  ExchangeRequest,
  ExchangeResponse,
  Reply,
  StatementSchema,
} from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";
import { ExchangeRequestSchema } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

export type ExchangeStream = ClientDuplexStream<ExchangeRequest, ExchangeResponse>;

export interface OutgoingCall {
  method: string;
  request: Uint8Array;
  timeoutMs: number;
  callerToken: string;
  userToken: string | undefined;
}

interface PendingCall {
  resolve: (reply: Reply) => void;
  reject: (failure: Failure) => void;
  release: () => void;
}

/** Statements a stream numbers before it uses the oldest number again; the server keeps more. */
const STATEMENTS_MAX = 1_024;

/** The client's end of one CarrierService stream. */
export class CarrierStream {
  readonly #stream: ExchangeStream;
  readonly #openedAtMs = performance.now();
  readonly #pending = new Map<number, PendingCall>();
  readonly #statementIndexes = new Map<string, number>();
  #statements: MessageInitShape<typeof StatementSchema>[] = [];
  #calls: MessageInitShape<typeof CallSchema>[] = [];
  #cancelled: number[] = [];
  #flushScheduled = false;
  #nextId = 1;
  #open = true;

  constructor(stream: ExchangeStream) {
    this.#stream = stream;
    stream.on("data", (frame: ExchangeResponse) => this.#receive(frame));
    stream.on("error", (error: Error) => this.#break(error));
    stream.on("end", () => this.#break(new Error("The stream ended.")));
  }

  /** Whether new calls may be sent. */
  get isOpen(): boolean {
    return this.#open;
  }

  ageMs(): number {
    return performance.now() - this.#openedAtMs;
  }

  /** Takes no more calls and ends once those in flight are answered. */
  retire(): void {
    this.#open = false;
    this.#endWhenIdle();
  }

  /** Resolves with the callee's reply, whatever its code; rejects when there will be none. */
  send(call: OutgoingCall, signal: AbortSignal | undefined): Promise<Reply> {
    const id = this.#nextId;
    this.#nextId = (this.#nextId % 0xffff_ffff) + 1;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled());
      const timer = setTimeout(() => this.#giveUp(id, tooSlow()), call.timeoutMs);
      const onAbort = () => this.#giveUp(id, cancelled());
      signal?.addEventListener("abort", onAbort, { once: true });
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      this.#pending.set(id, { resolve, reject, release });
      this.#enqueue(id, call);
    });
  }

  #enqueue(id: number, call: OutgoingCall): void {
    const { method, request, timeoutMs, callerToken, userToken } = call;
    // Numbering may flush, so it comes before the queue is touched.
    const callerStatement = this.#indexOf(callerToken);
    const userStatement = userToken === undefined ? 0 : this.#indexOf(userToken);
    this.#calls.push({ id, method, request, timeoutMs, callerStatement, userStatement });
    this.#scheduleFlush();
  }

  /** The number of a statement on this stream, sending the statement if it has none yet. */
  #indexOf(token: string): number {
    const known = this.#statementIndexes.get(token);
    const index = known ?? this.#freeIndex();
    // What was used last stands last: the first is the one to forget, and never half of this call.
    this.#statementIndexes.delete(token);
    this.#statementIndexes.set(token, index);
    if (known === undefined) this.#statements.push({ index, token });
    return index;
  }

  #freeIndex(): number {
    const size = this.#statementIndexes.size;
    if (size < STATEMENTS_MAX) return size + 1;
    // A frame that still names this number must not be joined by its new meaning.
    this.#flush();
    const [oldest, index] = this.#statementIndexes.entries().next().value as [string, number];
    this.#statementIndexes.delete(oldest);
    return index;
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    // Calls made in the same turn of the event loop share a frame.
    setImmediate(() => {
      this.#flushScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const frame = {
      statements: this.#statements,
      calls: this.#calls,
      cancelled: this.#cancelled,
    };
    this.#statements = [];
    this.#calls = [];
    this.#cancelled = [];
    if (Object.values(frame).every((part) => part.length === 0)) return;
    if (this.#stream.writable) this.#stream.write(create(ExchangeRequestSchema, frame));
  }

  #receive(frame: ExchangeResponse): void {
    for (const reply of frame.replies) this.#take(reply.id)?.resolve(reply);
    if (frame.draining) this.#open = false;
    if (!this.#open) this.#endWhenIdle();
  }

  #giveUp(id: number, failure: Failure): void {
    const call = this.#take(id);
    if (!call) return;
    call.reject(failure);
    this.#cancelled.push(id);
    this.#scheduleFlush();
    if (!this.#open) this.#endWhenIdle();
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    call?.release();
    this.#pending.delete(id);
    return call;
  }

  #endWhenIdle(): void {
    if (this.#pending.size > 0) return;
    this.#flush();
    this.#stream.end();
  }

  #break(cause: Error): void {
    this.#open = false;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(unavailable(cause));
  }
}

function unavailable(cause: Error): Failure {
  const message = "A part of the service cannot be reached; try again in a moment.";
  return new Failure("unavailable", "SERVICE_UNREACHABLE", message, { cause, retryAfterMs: 1_000 });
}

function tooSlow(): Failure {
  return new Failure("deadline_exceeded", "DEADLINE_EXCEEDED", "It took too long; try again.");
}

function cancelled(): Failure {
  return new Failure("cancelled", "CANCELLED", "The call was given up.");
}
