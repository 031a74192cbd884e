import * as grpc from "@grpc/grpc-js";
import { FAILURE_KINDS, Failure, toFailure } from "@nutrition/core/failure";

import { bufferView } from "./buffer-view.ts";
import { LazyDeadline } from "./deadline.ts";
import type { Dispatcher, IncomingCall } from "./dispatcher.ts";
import type { IdentityVerifier } from "./identity.ts";
import { CALLER_METADATA, STATUS_METADATA, USER_METADATA } from "./metadata.ts";
import { encodeFailure } from "./status.ts";

/** Time a call without a deadline of its own may take. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** A method whose messages grpc-js leaves as bytes; the dispatcher reads and writes them. */
export function unaryDefinition(path: string): grpc.MethodDefinition<Buffer, Buffer> {
  const asIs = (bytes: Buffer) => bytes;
  return {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  };
}

export function unaryHandler(
  path: string,
  dispatcher: Dispatcher,
  identity: IdentityVerifier,
): grpc.handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    const deadline = new LazyDeadline(timeoutOf(call));
    call.on("cancelled", () => deadline.cancel());
    incomingCall(path, call, identity)
      .then((incoming) => dispatcher.dispatch({ ...incoming, deadline }))
      .then(
        (reply) => callback(null, bufferView(reply)),
        (error: unknown) => callback(serviceErrorOf(toFailure(error))),
      )
      .finally(() => deadline.end());
  };
}

async function incomingCall(
  path: string,
  call: grpc.ServerUnaryCall<Buffer, Buffer>,
  identity: IdentityVerifier,
): Promise<Omit<IncomingCall, "deadline">> {
  const callerToken = metadataText(call.metadata, CALLER_METADATA);
  const userToken = metadataText(call.metadata, USER_METADATA);
  if (!callerToken) {
    throw new Failure("unauthenticated", "INVALID_STATEMENT", "The call carries no statement.");
  }
  return {
    method: path,
    request: call.request,
    caller: await identity.verify(callerToken),
    callerToken,
    forwarded: userToken
      ? { statement: await identity.verify(userToken), token: userToken }
      : undefined,
  };
}

function metadataText(metadata: grpc.Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return typeof value === "string" ? value : undefined;
}

function timeoutOf(call: grpc.ServerUnaryCall<Buffer, Buffer>): number {
  const deadline = call.getDeadline();
  const remainingMs = Number(deadline) - Date.now();
  return Number.isFinite(remainingMs) ? remainingMs : DEFAULT_TIMEOUT_MS;
}

function serviceErrorOf(failure: Failure): Partial<grpc.StatusObject> {
  const metadata = new grpc.Metadata();
  metadata.set(STATUS_METADATA, Buffer.from(encodeFailure(failure)));
  return { code: FAILURE_KINDS[failure.kind].grpc, details: failure.message, metadata };
}
