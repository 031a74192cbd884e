import * as grpc from "@grpc/grpc-js";
import { Failure } from "@nutrition/core/failure";

import { bufferView } from "./buffer-view.ts";
import { CHANNEL_OPTIONS } from "./channel-options.ts";
import type { IdentityIssuer } from "./identity.ts";
import { CALLER_METADATA, STATUS_METADATA, USER_METADATA } from "./metadata.ts";
import type { CallOptions, Transport } from "./service-definition.ts";
import { effectiveTimeoutMs } from "./service-definition.ts";
import { decodeFailure, kindOf } from "./status.ts";

export interface UnaryTransportOptions {
  /** gRPC target, such as `127.0.0.1:4701`. */
  address: string;
  issuer: IdentityIssuer;
}

/** Makes an ordinary gRPC call of every call, for tools that call now and then. */
export class UnaryTransport implements Transport {
  readonly #client: grpc.Client;
  readonly #issuer: IdentityIssuer;

  constructor(options: UnaryTransportOptions) {
    const credentials = grpc.credentials.createInsecure();
    this.#client = new grpc.Client(options.address, credentials, CHANNEL_OPTIONS);
    this.#issuer = options.issuer;
  }

  async call(method: string, request: Uint8Array, options: CallOptions): Promise<Uint8Array> {
    const metadata = new grpc.Metadata();
    metadata.set(CALLER_METADATA, await this.#issuer.statement(options.user));
    const userToken = options.onBehalfOf?.userStatement;
    if (userToken !== undefined) metadata.set(USER_METADATA, userToken);
    const deadline = Date.now() + effectiveTimeoutMs(options);
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        method,
        bufferView,
        (bytes) => new Uint8Array(bytes),
        request,
        metadata,
        { deadline },
        (error, reply) => {
          options.signal?.removeEventListener("abort", cancel);
          if (error) reject(failureOf(error));
          else resolve(reply as Uint8Array);
        },
      );
      const cancel = () => call.cancel();
      options.signal?.addEventListener("abort", cancel, { once: true });
      if (options.signal?.aborted) cancel();
    });
  }

  close(): void {
    this.#client.close();
  }
}

function failureOf(error: grpc.ServiceError): Failure {
  const [details] = error.metadata.get(STATUS_METADATA);
  if (Buffer.isBuffer(details)) return decodeFailure(details);
  const kind = kindOf(error.code);
  return new Failure(kind, kind.toUpperCase(), "The service cannot be reached; try again.", {
    cause: error,
  });
}
