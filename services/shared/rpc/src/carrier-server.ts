import type { ServerDuplexStream } from "@grpc/grpc-js";
import { create, toBinary } from "@bufbuild/protobuf";
import { FAILURE_KINDS, Failure, toFailure } from "@nutrition/core/failure";
import type { Call, ExchangeRequest } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";
import { ExchangeResponseSchema } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import { bufferView } from "./buffer-view.ts";
import { LazyDeadline } from "./deadline.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { IdentityVerifier, VerifiedStatement } from "./identity.ts";
import { encodeReplies } from "./reply-frame.ts";
import type { ReplyFrame } from "./reply-frame.ts";
import { encodeFailure } from "./status.ts";

/** What is written has been serialised already. */
export type ExchangeStream = ServerDuplexStream<ExchangeRequest, Buffer>;

interface KnownStatement {
  token: string;
  verified: Promise<VerifiedStatement>;
}

const OK = 0;
const DRAINING = bufferView(
  toBinary(ExchangeResponseSchema, create(ExchangeResponseSchema, { draining: true })),
);

/** Bounds what one stream can make this process remember. */
const STATEMENTS_MAX = 4_096;

/** Answers the calls of one CarrierService stream; see carrier.proto. */
export class CarrierSession {
  readonly #stream: ExchangeStream;
  readonly #dispatcher: Dispatcher;
  readonly #verifier: IdentityVerifier;
  readonly #statements = new Map<number, KnownStatement>();
  readonly #inFlight = new Map<number, LazyDeadline>();
  #replies: ReplyFrame[] = [];
  #draining = false;

  constructor(stream: ExchangeStream, dispatcher: Dispatcher, verifier: IdentityVerifier) {
    this.#stream = stream;
    this.#dispatcher = dispatcher;
    this.#verifier = verifier;
    stream.on("data", (frame: ExchangeRequest) => this.#receive(frame));
    stream.on("end", () => this.#endWhenIdle());
    stream.on("error", () => this.#cancelAll());
    stream.on("cancelled", () => this.#cancelAll());
  }

  /** Asks the client to move on; the stream ends once what is in flight has been answered. */
  drain(): void {
    this.#draining = true;
    this.#stream.write(DRAINING);
    this.#endWhenIdle();
  }

  #receive(frame: ExchangeRequest): void {
    for (const { index, token } of frame.statements) {
      if (!this.#statements.has(index) && this.#statements.size >= STATEMENTS_MAX) continue;
      const verified = this.#verifier.verify(token);
      // Nobody may be waiting yet; the calls that refer to it see the rejection.
      verified.catch(() => {});
      this.#statements.set(index, { token, verified });
    }
    for (const call of frame.calls) void this.#answer(call);
    for (const id of frame.cancelled) this.#inFlight.get(id)?.cancel();
  }

  async #answer(call: Call): Promise<void> {
    const deadline = new LazyDeadline(call.timeoutMs);
    this.#inFlight.set(call.id, deadline);
    try {
      const body = await this.#dispatch(call, deadline);
      this.#reply({ id: call.id, code: OK, body });
    } catch (error) {
      const failure = toFailure(error);
      const code = FAILURE_KINDS[failure.kind].grpc;
      this.#reply({ id: call.id, code, body: encodeFailure(failure) });
    } finally {
      deadline.end();
      this.#inFlight.delete(call.id);
    }
  }

  async #dispatch(call: Call, deadline: LazyDeadline): Promise<Uint8Array> {
    const caller = this.#statement(call.callerStatement);
    const user = call.userStatement === 0 ? undefined : this.#statement(call.userStatement);
    return this.#dispatcher.dispatch({
      method: call.method,
      request: call.request,
      caller: await this.#current(caller),
      callerToken: caller.token,
      forwarded: user && { statement: await this.#current(user), token: user.token },
      deadline,
    });
  }

  #statement(index: number): KnownStatement {
    const known = this.#statements.get(index);
    if (known) return known;
    throw new Failure("unauthenticated", "INVALID_STATEMENT", "The call names no known statement.");
  }

  async #current({ verified }: KnownStatement): Promise<VerifiedStatement> {
    const statement = await verified;
    this.#verifier.assertCurrent(statement);
    return statement;
  }

  #reply(reply: ReplyFrame): void {
    // Replies that become ready in the same turn of the event loop share a frame.
    if (this.#replies.push(reply) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const replies = this.#replies;
    this.#replies = [];
    if (!this.#stream.writable) return;
    this.#stream.write(encodeReplies(replies));
    if (this.#draining) this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    this.#draining = true;
    if (this.#inFlight.size === 0 && this.#replies.length === 0) this.#stream.end();
  }

  #cancelAll(): void {
    for (const deadline of this.#inFlight.values()) deadline.cancel();
  }
}
