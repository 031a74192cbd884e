import * as grpc from "@grpc/grpc-js";
import { create, toBinary } from "@bufbuild/protobuf";
import { bufferView } from "@nutrition/core/buffer-view";
import { Failure } from "@nutrition/core/failure";
import { UserSchema } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import { Connections } from "./connections.ts";
import type { Connection, ConnectionsOptions } from "./connections.ts";
import { deadlineExceeded } from "./deadline.ts";
import {
  ONWARD_ASSERTION_METADATA,
  SERVICE_TOKEN_METADATA,
  TRACEPARENT_METADATA,
  USER_ASSERTION_METADATA,
  USER_METADATA,
} from "./metadata.ts";
import type { TransportOptions } from "./outgoing-call.ts";
import { callMetadata, onwardAssertion } from "./outgoing-call.ts";
import type { CallOptions, Transport } from "./service-definition.ts";
import { calleeOf, effectiveTimeoutMs } from "./service-definition.ts";
import { kindOf } from "./status.ts";
import { asUnreachable, isTokenExpired } from "./token-format.ts";
import { answeredFailure, unreachable } from "./unreachable.ts";

/**
 * Sends each call as an ordinary gRPC call, for tools that call rarely. A call that the callee refused
 * because the service token has expired is sent once more, with a new token.
 */
export class UnaryTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #connections: Connections;

  constructor(options: TransportOptions & Pick<ConnectionsOptions, "resolve">) {
    this.#options = options;
    this.#connections = new Connections(options);
  }

  async call(method: string, request: Uint8Array, options: CallOptions): Promise<Uint8Array> {
    const timeoutMs = effectiveTimeoutMs(options);
    if (timeoutMs === 0) throw deadlineExceeded();
    const call = { method, request, endsAtMs: performance.now() + timeoutMs };
    try {
      return await this.#send(call, options);
    } catch (error) {
      if (!isTokenExpired(error)) throw error;
      this.#options.issuer.dropServiceToken(this.#calleeOf(method) ?? "");
      return await this.#send(call, options).catch(asUnreachable);
    }
  }

  close(): void {
    this.#connections.close();
  }

  async #send({ endsAtMs, ...call }: TimedCall, options: CallOptions): Promise<Uint8Array> {
    const metadata = await this.#metadata(call.method, options);
    const remainingMs = () => Math.max(1, endsAtMs - performance.now());
    const connections = this.#connections;
    const connection =
      connections.pick() ?? (await connections.whenReady(remainingMs(), options.signal));
    connection.inFlight += 1;
    try {
      const timeoutMs = remainingMs();
      return await send(connection, { ...call, metadata, timeoutMs }, options.signal);
    } finally {
      connection.inFlight -= 1;
    }
  }

  #calleeOf(method: string): string | undefined {
    return calleeOf(method) ?? this.#options.service;
  }

  async #metadata(method: string, options: CallOptions): Promise<grpc.Metadata> {
    const metadata = new grpc.Metadata();
    const { user, userAssertion, traceparent } = callMetadata(options);
    const callee = this.#calleeOf(method);
    const texts = {
      [SERVICE_TOKEN_METADATA]: callee && (await this.#options.issuer.serviceToken(callee)),
      [USER_ASSERTION_METADATA]: userAssertion,
      [ONWARD_ASSERTION_METADATA]: await onwardAssertion(method, options, this.#options),
      [TRACEPARENT_METADATA]: traceparent,
    };
    for (const [name, text] of Object.entries(texts)) if (text) metadata.set(name, text);
    if (user)
      metadata.set(USER_METADATA, bufferView(toBinary(UserSchema, create(UserSchema, user))));
    return metadata;
  }
}

interface TimedCall {
  method: string;
  request: Uint8Array;
  /** Monotonic time, in milliseconds. */
  endsAtMs: number;
}

interface UnaryCall extends Omit<TimedCall, "endsAtMs"> {
  metadata: grpc.Metadata;
  timeoutMs: number;
}

function send(
  { client }: Connection,
  { method, request, metadata, timeoutMs }: UnaryCall,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      method,
      bufferView,
      (bytes) => new Uint8Array(bytes),
      request,
      metadata,
      // gRPC counts the time until then by a timer, which a step of the clock does not change.
      { deadline: Date.now() + timeoutMs },
      (error, reply) => {
        signal?.removeEventListener("abort", cancel);
        if (error) reject(failureOf(error));
        else resolve(reply as Uint8Array);
      },
    );
    const cancel = () => call.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();
  });
}

function failureOf(error: grpc.ServiceError): Failure {
  const answered = answeredFailure(error);
  if (answered) return answered;
  if (error.code === grpc.status.UNAVAILABLE) return unreachable(error);
  const kind = kindOf(error.code);
  return new Failure(kind, kind.toUpperCase(), "The call was not answered; try again.", {
    cause: error,
  });
}
