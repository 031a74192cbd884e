import * as grpc from "@grpc/grpc-js";
import { bufferView } from "@nutrition/core/buffer-view";
import type { Failure } from "@nutrition/core/failure";
import { FAILURE_KINDS, toFailure } from "@nutrition/core/failure";
import { UserSchema } from "@nutrition/proto/nutrition/rpc/v1/carrier_pb";

import { LazyDeadline } from "./deadline.ts";
import { decode } from "./decode.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { IdentityVerifier } from "./identity.ts";
import type { IncomingCall } from "./incoming-call.ts";
import {
  ONWARD_ASSERTION_METADATA,
  SERVICE_TOKEN_METADATA,
  STATUS_METADATA,
  TRACEPARENT_METADATA,
  USER_ASSERTION_METADATA,
  USER_METADATA,
} from "./metadata.ts";
import { encodeFailure } from "./status.ts";

/** Timeout of a call without its own deadline. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** A method whose messages grpc-js leaves as bytes; the dispatcher decodes and encodes them. */
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
  { metadata, request }: grpc.ServerUnaryCall<Buffer, Buffer>,
  identity: IdentityVerifier,
): Promise<Omit<IncomingCall, "deadline">> {
  const { service: caller } = await identity.verifyServiceToken(
    metadataText(metadata, SERVICE_TOKEN_METADATA),
  );
  const [user] = metadata.get(USER_METADATA);
  return {
    method: path,
    request,
    caller,
    user: Buffer.isBuffer(user) ? decode(UserSchema, user) : undefined,
    userAssertion: metadataText(metadata, USER_ASSERTION_METADATA),
    onwardAssertion: metadataText(metadata, ONWARD_ASSERTION_METADATA),
    traceparent: metadataText(metadata, TRACEPARENT_METADATA),
  };
}

/** The first value; empty when there is none. */
export function metadataText(metadata: grpc.Metadata, name: string): string {
  const [value] = metadata.get(name);
  return typeof value === "string" ? value : "";
}

function timeoutOf(call: grpc.ServerUnaryCall<Buffer, Buffer>): number {
  const deadline = call.getDeadline();
  const remainingMs = Number(deadline) - Date.now();
  return Number.isFinite(remainingMs) ? remainingMs : DEFAULT_TIMEOUT_MS;
}

/** The failure in gRPC's form. */
export function serviceErrorOf(failure: Failure): Partial<grpc.StatusObject> {
  const metadata = new grpc.Metadata();
  metadata.set(STATUS_METADATA, Buffer.from(encodeFailure(failure)));
  return { code: FAILURE_KINDS[failure.kind].grpc, details: failure.message, metadata };
}
