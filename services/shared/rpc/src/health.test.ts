import * as grpc from "@grpc/grpc-js";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { bufferView } from "@nutrition/core/buffer-view";
import type { HealthCheckRequest } from "@nutrition/proto/grpc/health/v1/health_pb";
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus,
} from "@nutrition/proto/grpc/health/v1/health_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { expect, it } from "vitest";

import { startLimits, testIdentity } from "./testing.ts";

const { SERVING, NOT_SERVING, SERVICE_UNKNOWN } = HealthCheckResponse_ServingStatus;

function check(client: grpc.Client, service: string): Promise<HealthCheckResponse_ServingStatus> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      "/grpc.health.v1.Health/Check",
      (request: HealthCheckRequest) => bufferView(toBinary(HealthCheckRequestSchema, request)),
      (bytes) => fromBinary(HealthCheckResponseSchema, bytes).status,
      create(HealthCheckRequestSchema, { service }),
      (error, status) => (error ? reject(error) : resolve(status as typeof SERVING)),
    );
  });
}

it("answers the standard health protocol for the process and for each service", async () => {
  await using server = await startLimits(await testIdentity(), { count: async () => ({}) });
  const client = new grpc.Client(server.address, grpc.credentials.createInsecure());
  expect(await check(client, "")).toBe(SERVING);
  expect(await check(client, LimitsService.typeName)).toBe(SERVING);
  expect(await check(client, "nobody.v1.Nothing")).toBe(SERVICE_UNKNOWN);
  server.setServing(false);
  expect(await check(client, "")).toBe(NOT_SERVING);
  client.close();
});
