import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import { silentLogger as logger } from "@nutrition/core/logger";
import type { InspectResponseSchema } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { OperationsService } from "@nutrition/proto/nutrition/operations/v1/operations_pb";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import { afterEach, describe, expect, it } from "vitest";

import type { Target } from "../src/config.ts";
import type { Finding } from "../src/doctor/finding.ts";
import { findings, identity, site } from "./doctor-fixture.ts";

type Facts = MessageInitShape<typeof InspectResponseSchema>;

const DAY_MS = 86_400_000;
let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

/** An instance with the report of a test. Resolves with its address. */
async function instance(service: Target, inspect: () => Promise<Facts>): Promise<string> {
  const access = { inspect: { callers: ["admin"], user: "none" } } as const;
  const binding = bind(OperationsService, { inspect }, access);
  const server = await startRpcServer({
    ...{ host: "127.0.0.1", port: 0, logger, services: [binding] },
    identity: identity.verifier(service),
  });
  stack.use(server);
  return server.address;
}

const saying = (facts: Facts) => async () => facts;

/** The findings about a limits service that reports these facts, by code. */
async function aboutLimits(facts: Facts): Promise<Map<string, Finding>> {
  const limits = await instance("limits", saying({ now: timestampFromDate(new Date()), ...facts }));
  const found = await findings({ addresses: { limits } });
  return new Map(found.map((finding) => [finding.code, finding]));
}

const certificate = (days: number) => ({
  setting: "INTERNAL_TLS_CERT_FILE",
  expiresAt: timestampFromDate(new Date(Date.now() + days * DAY_MS)),
});
const database = (facts: object) => ({
  database: {
    reachable: true,
    schemaVersion: 3,
    expectedSchemaVersion: 3,
    connectionLimit: 10,
    ...facts,
  },
});

describe("about an instance that responds, the doctor reports", () => {
  it.each<[string, Facts, Finding["level"], string]>([
    ["a valid certificate", { certificates: [certificate(90)] }, "ok", "certificate_holds"],
    [
      "one that expires soon",
      { certificates: [certificate(20)] },
      "warning",
      "certificate_expires",
    ],
    ["one that expires now", { certificates: [certificate(2)] }, "problem", "certificate_expires"],
    ["one that has expired", { certificates: [certificate(-1)] }, "problem", "certificate_expires"],
    [
      "a collector that answers",
      { telemetry: { exporting: true, reachable: true } },
      "ok",
      "telemetry_reachable",
    ],
    [
      "a collector that is unavailable",
      { telemetry: { exporting: true } },
      "warning",
      "telemetry_unreachable",
    ],
    ["metrics that Prometheus reads", { telemetry: { scraped: true } }, "ok", "metrics_scraped"],
    ["that nobody monitors it", { telemetry: {} }, "unchecked", "telemetry_off"],
    ["a silent service", { backends: [{ name: "auth" }] }, "problem", "backend_unreachable"],
    ["a proxy that is not set", { warnings: ["Set it."] }, "warning", "gateway_warning"],
    ["that production is on", { production: true }, "ok", "production"],
    ["what production refuses", { productionRefusals: ["x"] }, "unchecked", "not_production"],
    ["settings that production would accept", {}, "unchecked", "not_production"],
    ["a newer schema", database({ schemaVersion: 4 }), "warning", "schema_newer"],
    [
      "a schema version that it may not read",
      database({ schemaVersion: undefined }),
      "warning",
      "schema_unknown",
    ],
    [
      "unlimited connections",
      database({ connectionLimit: -1 }),
      "warning",
      "connections_unlimited",
    ],
    [
      "that few connections are left",
      database({ connections: 8 }),
      "warning",
      "connections_nearly_used",
    ],
    ["how many connections are left", database({ connections: 7 }), "ok", "connections_free"],
    [
      "a role with too many privileges",
      database({ roleAttributes: ["SUPERUSER"] }),
      "problem",
      "role_unbounded",
    ],
    [
      "a Redis that responds",
      { redis: { configured: true, reachable: true } },
      "ok",
      "redis_reachable",
    ],
    [
      "a Redis that is unavailable",
      { redis: { configured: true } },
      "problem",
      "redis_unreachable",
    ],
  ])("%s", async (_, facts, level, code) => {
    expect((await aboutLimits(facts)).get(code)).toMatchObject({ level });
  });
});

describe("about an instance that reports nothing about itself, the doctor reports", () => {
  it("that it is too old to be inspected", async () => {
    const server = await startRpcServer({
      ...{ host: "127.0.0.1", port: 0, logger, services: [] },
      identity: identity.verifier("limits"),
    });
    stack.use(server);
    const found = await findings({ addresses: { limits: server.address } });
    expect(found).toContainEqual(
      expect.objectContaining({ level: "warning", code: "inspection_unknown" }),
    );
  });

  it("that the inspection failed", async () => {
    const failing = () => Promise.reject(new Failure("unavailable", "BUSY", "busy"));
    const limits = await instance("limits", failing);
    const found = await findings({ addresses: { limits } });
    expect(found).toContainEqual(
      expect.objectContaining({ level: "problem", code: "inspection_failed" }),
    );
  });

  it("that it is stopping", async () => {
    const access = { inspect: { callers: ["admin"], user: "none" } } as const;
    const server = await startRpcServer({
      ...{ host: "127.0.0.1", port: 0, logger },
      services: [bind(OperationsService, { inspect: async () => ({}) }, access)],
      identity: identity.verifier("limits"),
    });
    stack.use(server);
    server.setServing(false);
    const found = await findings({ addresses: { limits: server.address } });
    expect(found).toContainEqual(
      expect.objectContaining({ level: "problem", code: "not_serving" }),
    );
  });

  it("that its name does not resolve, and which addresses are not known", async () => {
    const found = await findings({ addresses: { limits: "no-such-host.invalid:1" } });
    expect(found).toContainEqual(
      expect.objectContaining({ level: "problem", code: "service_unknown_host" }),
    );
    const unknown = found.filter(({ code }) => code === "service_address_unknown");
    expect(unknown.map(({ subject }) => subject)).toEqual([
      "auth",
      "journal",
      "analysis",
      "gateway",
      "web",
    ]);
  });
});

describe("about instances that differ, the doctor reports", () => {
  const now = timestampFromDate(new Date());

  it("their versions, gateway and web included", async () => {
    const gateway = await instance("gateway", saying({ now, version: "2.0.0" }));
    const web = await instance("web", saying({ now, version: "1.0.0" }));
    const found = await findings({ addresses: { gateway, web } });
    expect(found.find(({ code }) => code === "versions_differ")).toMatchObject({
      level: "warning",
      message: "Several versions run: 2.0.0 (gateway), 1.0.0 (web).",
    });
  });

  it("instances that do not use the Redis of the others", async () => {
    const gateway = await instance(
      "gateway",
      saying({ now, redis: { configured: true, reachable: true } }),
    );
    const web = await instance("web", saying({ now, redis: {} }));
    const found = await findings({ addresses: { gateway, web } });
    expect(found.find(({ code }) => code === "redis_not_everywhere")).toMatchObject({
      level: "warning",
      message: "Not used by web, though others have it.",
    });
  });
});

describe("at the public address, the doctor reports", () => {
  it("missing pages", async () => {
    const found = await findings({ baseUrl: await site({ "/readyz": { status: "ready" } }) });
    expect(found.map(({ code, level }) => `${level} ${code}`)).toContain("unchecked pages_off");
  });

  it("that something else answers there", async () => {
    const found = await findings({ baseUrl: await site({}) });
    expect(found).toContainEqual(
      expect.objectContaining({ subject: "public address", code: "not_serving" }),
    );
  });

  it("that it is unknown", async () => {
    const codes = (await findings({})).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(["base_url_unknown", "provider_unknown"]));
  });
});
