import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyPack, anyUnpack, durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import type { FailureKind } from "@nutrition/core/failure";
import { FAILURE_KINDS, Failure } from "@nutrition/core/failure";
import { ErrorInfoSchema, RetryInfoSchema } from "@nutrition/proto/google/rpc/error_details_pb";
import { StatusSchema } from "@nutrition/proto/google/rpc/status_pb";

const DOMAIN = "nutrition";

const KIND_BY_CODE = new Map<number, FailureKind>(
  Object.entries(FAILURE_KINDS).map(([kind, { grpc }]) => [grpc, kind as FailureKind]),
);

/** The failure as a serialized google.rpc.Status, without its cause. */
export function encodeFailure(failure: Failure): Uint8Array {
  const info = create(ErrorInfoSchema, {
    reason: failure.reason,
    domain: DOMAIN,
    metadata: { ...failure.metadata },
  });
  const details = [anyPack(ErrorInfoSchema, info)];
  if (failure.retryAfterMs !== undefined) {
    const retry = create(RetryInfoSchema, {
      retryDelay: durationFromMs(Math.ceil(failure.retryAfterMs)),
    });
    details.push(anyPack(RetryInfoSchema, retry));
  }
  const code = FAILURE_KINDS[failure.kind].grpc;
  return toBinary(StatusSchema, create(StatusSchema, { code, message: failure.message, details }));
}

/** The failure in a serialized google.rpc.Status. */
export function decodeFailure(bytes: Uint8Array): Failure {
  const status = fromBinary(StatusSchema, bytes);
  const info = unpackFirst(status.details, ErrorInfoSchema);
  const retry = unpackFirst(status.details, RetryInfoSchema);
  const reason = info?.reason ?? "UNKNOWN";
  return new Failure(kindOf(status.code), reason, status.message, {
    metadata: info?.metadata ?? {},
    ...(retry?.retryDelay ? { retryAfterMs: durationMs(retry.retryDelay) } : {}),
  });
}

/** The kind of failure for a gRPC status code. */
export function kindOf(code: number): FailureKind {
  return KIND_BY_CODE.get(code) ?? "internal";
}

function unpackFirst<Schema extends typeof ErrorInfoSchema | typeof RetryInfoSchema>(
  details: Parameters<typeof anyUnpack>[0][],
  schema: Schema,
) {
  for (const detail of details) {
    const message = anyUnpack(detail, schema);
    if (message) return message;
  }
  return undefined;
}
