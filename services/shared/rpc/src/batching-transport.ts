import * as grpc from "@grpc/grpc-js";
import { fromBinary } from "@bufbuild/protobuf";
import { Failure } from "@nutrition/core/failure";
import {
  CarrierService,
  ExchangeResponseSchema,
} from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import { encodeCalls } from "./call-frame.ts";
import { BatchingStream } from "./batching-stream.ts";
import type { ExchangeStream, CallCancellation } from "./batching-stream.ts";
import type { Connection, ConnectionsOptions } from "./connections.ts";
import { Connections } from "./connections.ts";
import { deadlineExceeded } from "./deadline.ts";
import { SERVICE_TOKEN_METADATA } from "./metadata.ts";
import type { OutgoingCall, TransportOptions } from "./outgoing-call.ts";
import { callMetadata, onwardAssertion } from "./outgoing-call.ts";
import type { CallOptions, Transport } from "./service-definition.ts";
import { calleeOf, effectiveTimeoutMs, methodPath } from "./service-definition.ts";
import { decodeFailure } from "./status.ts";
import { asUnreachable, isTokenExpired } from "./token-format.ts";
import { unreachable } from "./unreachable.ts";

/**
 * Opens a new stream before the service token of the old one expires; tokens are valid for at least
 * 30 s.
 */
const STREAM_MAX_AGE_MS = 25_000;
const CALLS_IN_FLIGHT_MAX = 8_192;
/** Instances that a call is offered to before it fails, if each of them leaves before it is sent. */
const INSTANCES_TRIED_MAX = 5;

/**
 * Sends calls in batches over a long-lived stream to each ready instance of a service; see
 * carrier.proto. Each call goes to the instance with the fewest calls in flight. A call that was not
 * sent, because its instance left meanwhile, goes to another. A call whose stream breaks after it was
 * sent fails with `unavailable`. Whether it was executed is then unknown, so it is not retried here. A
 * call that the callee refused because the service token has expired is sent once more, with a new token.
 */
export class BatchingTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #connections: Connections;
  readonly #streams = new Map<Connection, Promise<BatchingStream | undefined> | BatchingStream>();
  #inFlight = 0;

  constructor(options: TransportOptions & Pick<ConnectionsOptions, "resolve">) {
    this.#options = options;
    this.#connections = new Connections({
      ...options,
      onGone: (connection) => this.#retire(connection),
    });
  }

  async call(method: string, request: Uint8Array, options: CallOptions): Promise<Uint8Array> {
    const timeoutMs = effectiveTimeoutMs(options);
    if (timeoutMs === 0) throw deadlineExceeded();
    if (this.#inFlight >= CALLS_IN_FLIGHT_MAX) throw overloaded();
    const about = callMetadata(options);
    const following = followed(options);
    this.#inFlight += 1;
    try {
      const signing = onwardAssertion(method, options, this.#options);
      const onward = signing === undefined ? "" : await signing;
      const call = { method, request, timeoutMs, ...about, onwardAssertion: onward };
      return await this.#send(call, following);
    } finally {
      following.whenEnded(() => (this.#inFlight -= 1));
    }
  }

  /** Connects in advance, so that the first call does not wait for it. Rejects with a `Failure`. */
  async connect(timeoutMs: number): Promise<void> {
    await this.#connections.whenReady(timeoutMs, undefined);
  }

  close(): void {
    this.#connections.close();
  }

  async #send(call: OutgoingCall, following: Following): Promise<Uint8Array> {
    const endsAtMs = performance.now() + call.timeoutMs;
    try {
      return await this.#sendToAny(call, endsAtMs, following);
    } catch (error) {
      if (!isTokenExpired(error)) throw error;
      this.#options.issuer.dropServiceToken(calleeOf(call.method) ?? "");
      return await this.#sendToAny(call, endsAtMs, following).catch(asUnreachable);
    }
  }

  async #sendToAny(
    call: OutgoingCall,
    endsAtMs: number,
    following: Following,
  ): Promise<Uint8Array> {
    const connections = this.#connections;
    for (let tried = 1; tried <= INSTANCES_TRIED_MAX; tried += 1) {
      const connection =
        connections.pick() ??
        (await connections.whenReady(remainingMs(endsAtMs), following.givingUp.signal));
      const body = await this.#sendTo(connection, { call, endsAtMs }, following);
      if (body) return body;
    }
    throw unreachable();
  }

  /** Resolves with undefined if the instance left before the call was sent. */
  async #sendTo(
    connection: Connection,
    { call, endsAtMs }: { call: OutgoingCall; endsAtMs: number },
    { givingUp, whenEnded }: Following,
  ): Promise<Uint8Array | undefined> {
    connection.inFlight += 1;
    try {
      const stream = this.#usableStream(connection) ?? (await this.#open(connection, call.method));
      const reply = await stream?.send({ ...call, timeoutMs: remainingMs(endsAtMs) }, givingUp);
      if (!reply) return undefined;
      if (reply.code === 0) return reply.body;
      const failure = decodeFailure(reply.body);
      if (isTokenExpired(failure)) stream?.retire();
      throw failure;
    } finally {
      whenEnded(() => (connection.inFlight -= 1));
    }
  }

  #usableStream(connection: Connection): BatchingStream | undefined {
    const stream = this.#streams.get(connection);
    if (!(stream instanceof BatchingStream)) return undefined;
    return stream.isOpen && stream.ageMs() < STREAM_MAX_AGE_MS ? stream : undefined;
  }

  /**
   * Opens a stream to replace the used-up one; concurrent callers share it. Resolves with undefined if
   * the instance left meanwhile.
   */
  #open(connection: Connection, method: string): Promise<BatchingStream | undefined> {
    const opening = this.#streams.get(connection);
    if (opening instanceof Promise) return opening;
    opening?.retire();
    const stream = this.#openStream(connection, method);
    this.#streams.set(connection, stream);
    stream.catch(() => this.#streams.delete(connection));
    return stream;
  }

  async #openStream(connection: Connection, method: string): Promise<BatchingStream | undefined> {
    const metadata = new grpc.Metadata();
    metadata.set(
      SERVICE_TOKEN_METADATA,
      await this.#options.issuer.serviceToken(calleeOf(method) ?? ""),
    );
    // The client of an instance that has gone is closed.
    if (!this.#streams.has(connection)) return undefined;
    const exchange: ExchangeStream = connection.client.makeBidiStreamRequest(
      methodPath(CarrierService.method.exchange),
      encodeCalls,
      (bytes) => fromBinary(ExchangeResponseSchema, bytes),
      metadata,
    );
    const stream = new BatchingStream(exchange, () => connection.avoid());
    this.#streams.set(connection, stream);
    return stream;
  }

  #retire(connection: Connection): void {
    const stream = this.#streams.get(connection);
    this.#streams.delete(connection);
    if (stream instanceof BatchingStream) stream.retire();
  }
}

type Following = ReturnType<typeof followed>;

/**
 * How a call is cancelled, and when it has ended. A cancelled call ends when the callee says so.
 */
function followed(givingUp: CallCancellation) {
  let ended: Promise<void> | undefined;
  const onAbandoned = (end: Promise<void>) => {
    ended = end;
    givingUp.onAbandoned?.(end);
  };
  return {
    givingUp: { ...givingUp, onAbandoned },
    whenEnded(callBack: () => void): void {
      if (ended) void ended.then(callBack);
      else callBack();
    },
  };
}

function overloaded(): Failure {
  return new Failure("unavailable", "OVERLOADED", "Too many concurrent calls; try again shortly.", {
    retryAfterMs: 1_000,
  });
}

/** Time that a call has left, at least 1 ms. */
function remainingMs(endsAtMs: number): number {
  return Math.max(1, Math.floor(endsAtMs - performance.now()));
}
