import * as grpc from "@grpc/grpc-js";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Failure } from "@nutrition/core/failure";
import type { Reply } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";
import {
  CarrierService,
  ExchangeRequestSchema,
  ExchangeResponseSchema,
} from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import { bufferView } from "./buffer-view.ts";
import { CarrierStream } from "./carrier-stream.ts";
import type { ExchangeStream } from "./carrier-stream.ts";
import { CHANNEL_OPTIONS } from "./channel-options.ts";
import type { IdentityIssuer } from "./identity.ts";
import type { CallOptions, Transport } from "./service-definition.ts";
import { effectiveTimeoutMs, methodPath } from "./service-definition.ts";
import { decodeFailure } from "./status.ts";

/** A new stream goes to the next instance, so that load follows when instances come and go. */
const STREAM_MAX_AGE_MS = 60_000;
const CALLS_IN_FLIGHT_MAX = 8_192;

export interface CarrierTransportOptions {
  /** gRPC target, such as `127.0.0.1:4701` or `dns:///journal:4700`. */
  address: string;
  issuer: IdentityIssuer;
}

/**
 * Carries calls over one long-lived stream, batched; see carrier.proto. A call whose stream breaks
 * is the failure `unavailable`, and whether it was carried out is then unknown.
 */
export class CarrierTransport implements Transport {
  readonly #client: grpc.Client;
  readonly #issuer: IdentityIssuer;
  #stream: CarrierStream | undefined;
  #inFlight = 0;

  constructor(options: CarrierTransportOptions) {
    this.#client = new grpc.Client(
      options.address,
      grpc.credentials.createInsecure(),
      CHANNEL_OPTIONS,
    );
    this.#issuer = options.issuer;
  }

  async call(method: string, request: Uint8Array, options: CallOptions): Promise<Uint8Array> {
    const timeoutMs = effectiveTimeoutMs(options);
    if (timeoutMs === 0) throw new Failure("deadline_exceeded", "DEADLINE_EXCEEDED", TOO_SLOW);
    if (this.#inFlight >= CALLS_IN_FLIGHT_MAX) {
      throw new Failure("unavailable", "OVERLOADED", "Too many calls at once; try again shortly.");
    }
    this.#inFlight += 1;
    try {
      const callerToken = await this.#issuer.statement(options.user);
      const userToken = options.onBehalfOf?.userStatement;
      const reply = await this.#currentStream().send(
        { method, request, timeoutMs, callerToken, userToken },
        options.signal,
      );
      return bodyOf(reply);
    } finally {
      this.#inFlight -= 1;
    }
  }

  close(): void {
    this.#stream?.retire();
    this.#client.close();
  }

  #currentStream(): CarrierStream {
    const current = this.#stream;
    if (current?.isOpen && current.ageMs() < STREAM_MAX_AGE_MS) return current;
    current?.retire();
    this.#stream = new CarrierStream(this.#openStream());
    return this.#stream;
  }

  #openStream(): ExchangeStream {
    return this.#client.makeBidiStreamRequest(
      methodPath(CarrierService.method.exchange),
      (frame) => bufferView(toBinary(ExchangeRequestSchema, frame)),
      (bytes) => fromBinary(ExchangeResponseSchema, bytes),
    );
  }
}

const TOO_SLOW = "It took too long; try again.";

function bodyOf(reply: Reply): Uint8Array {
  if (reply.code !== 0) throw decodeFailure(reply.body);
  return reply.body;
}
