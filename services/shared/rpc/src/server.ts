import * as grpc from "@grpc/grpc-js";
import { toFailure } from "@nutrition/core/failure";
import type { Logger } from "@nutrition/core/logger";
import { CarrierService } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import { decodeCalls, encodeCalls } from "./call-frame.ts";
import type { ExchangeStream } from "./batching-server.ts";
import { BatchingSession } from "./batching-server.ts";
import { MESSAGE_MAX_BYTES, WITHOUT_CHANNELZ } from "./channel-options.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { ServiceBinding } from "./dispatcher.ts";
import { Health } from "./health.ts";
import type { IdentityVerifier } from "./identity.ts";
import { SERVICE_TOKEN_METADATA } from "./metadata.ts";
import { methodPath } from "./service-definition.ts";
import type { TlsFiles } from "./tls-files.ts";
import { metadataText, serviceErrorOf, unaryDefinition, unaryHandler } from "./unary-server.ts";

export { bind } from "./dispatcher.ts";
export type { ServiceBinding } from "./dispatcher.ts";

export interface RpcServerOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  identity: IdentityVerifier;
  logger: Logger;
  services: readonly ServiceBinding[];
  /** Encrypts, and requires callers to present a certificate; plain text if absent. */
  tls?: TlsFiles | undefined;
  /** Calls handled concurrently before further ones are refused. */
  maxInFlight?: number;
}

/** A listening server. Disposing drains it: calls in flight are answered, for at most 10 s. */
export interface RpcServer extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
  /** Status in the gRPC health protocol; initially serving. */
  setServing(serving: boolean): void;
}

const CALLS_IN_FLIGHT_MAX = 4_096;
const DRAIN_MAX_MS = 10_000;

/**
 * Serves the bindings as unary methods and over the batching transport, with the gRPC health
 * protocol.
 */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { identity, services, maxInFlight = CALLS_IN_FLIGHT_MAX } = options;
  const dispatcher = new Dispatcher({ ...options, maxInFlight });
  const server = new grpc.Server({
    ...WITHOUT_CHANNELZ,
    "grpc.max_receive_message_length": MESSAGE_MAX_BYTES,
    "grpc.max_send_message_length": MESSAGE_MAX_BYTES,
  });
  const sessions = addCarrier(server, dispatcher, identity);
  const health = new Health();
  health.addTo(server);
  for (const { service, methods } of services) {
    const paths = [...methods.keys()];
    const handlers = paths.map((path) => [path, unaryHandler(path, dispatcher, identity)]);
    const definitions = paths.map((path) => [path, unaryDefinition(path)]);
    server.addService(Object.fromEntries(definitions), Object.fromEntries(handlers));
    health.add(service.typeName);
  }
  const port = await listen(server, options);
  return {
    address: `${options.host}:${port}`,
    setServing: (serving) => void (health.isServing = serving),
    async [Symbol.asyncDispose]() {
      health.isServing = false;
      for (const session of sessions) session.drain();
      await shutDown(server);
    },
  };
}

function listen(server: grpc.Server, { host, port, tls }: RpcServerOptions): Promise<number> {
  const credentials = tls?.serverCredentials() ?? grpc.ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, credentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
}

function addCarrier(server: grpc.Server, dispatcher: Dispatcher, identity: IdentityVerifier) {
  const sessions = new Set<BatchingSession>();
  const exchange = {
    path: methodPath(CarrierService.method.exchange),
    requestStream: true,
    responseStream: true,
    requestSerialize: encodeCalls,
    requestDeserialize: decodeCalls,
    responseSerialize: (frame: Buffer) => frame,
    responseDeserialize: (bytes: Buffer) => bytes,
  };
  server.addService(
    { exchange },
    {
      exchange: (stream: ExchangeStream) => {
        // Nothing of the stream is read before its caller is authenticated.
        identity.verifyServiceToken(metadataText(stream.metadata, SERVICE_TOKEN_METADATA)).then(
          (proof) => {
            const session = new BatchingSession(stream, { dispatcher, identity, proof });
            sessions.add(session);
            stream.on("close", () => sessions.delete(session));
          },
          (error: unknown) => stream.emit("error", serviceErrorOf(toFailure(error))),
        );
      },
    },
  );
  return sessions;
}

function shutDown(server: grpc.Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), DRAIN_MAX_MS);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}
