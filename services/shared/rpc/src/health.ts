import type * as grpc from "@grpc/grpc-js";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { bufferView } from "@nutrition/core/buffer-view";
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus,
} from "@nutrition/proto/grpc/health/v1/health_pb";

import { unaryDefinition } from "./unary-server.ts";

const CHECK = "/grpc.health.v1.Health/Check";

/** Status reported by the standard gRPC health protocol, to any caller. */
export class Health {
  readonly #names = new Set([""]);
  isServing = true;

  /** Reports for a service as well as for the whole process. */
  add(typeName: string): void {
    this.#names.add(typeName);
  }

  addTo(server: grpc.Server): void {
    const check: grpc.handleUnaryCall<Buffer, Buffer> = (call, callback) => {
      const { service } = fromBinary(HealthCheckRequestSchema, call.request);
      const reply = create(HealthCheckResponseSchema, { status: this.#statusOf(service) });
      callback(null, bufferView(toBinary(HealthCheckResponseSchema, reply)));
    };
    server.addService({ check: unaryDefinition(CHECK) }, { check });
  }

  #statusOf(service: string): HealthCheckResponse_ServingStatus {
    const { SERVING, NOT_SERVING, SERVICE_UNKNOWN } = HealthCheckResponse_ServingStatus;
    if (!this.#names.has(service)) return SERVICE_UNKNOWN;
    return this.isServing ? SERVING : NOT_SERVING;
  }
}
