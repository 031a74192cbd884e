import type { ReceivedSpan } from "@nutrition/telemetry/otlp/received";
import type { OtlpReceiver } from "@nutrition/telemetry/otlp/receiver";
import { startOtlpReceiver } from "@nutrition/telemetry/otlp/receiver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connectAssistant } from "./assistants.ts";
import { System } from "./system.ts";

const SUMMARY = "/api/v1/nutrition/summary";
const EMAIL = "observed@example.com";
const FOOD = "2 scrambled eggs";
const CODE_WORD = "zabaglionelike";

let receiver: OtlpReceiver;
let system: System;
let person: { id: string; key: string };

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  system = await System.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: "parentbased_always_on",
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_METRIC_EXPORT_INTERVAL: "1000",
  });
  person = await system.account(EMAIL, "--premium");
}, 120_000);
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** The traces whose first span has this name, oldest first. */
function tracesOf(rootName: string): ReceivedSpan[][] {
  const roots = receiver.spans.filter((span) => span.parentSpanId === "" && span.name === rootName);
  return roots.map(({ traceId }) => receiver.spans.filter((span) => span.traceId === traceId));
}

/** The last such trace, once it has a span of each of these (`service: name`), all connected. */
async function traceWith(rootName: string, wanted: readonly string[]): Promise<ReceivedSpan[]> {
  const last = () => tracesOf(rootName).at(-1) ?? [];
  const missing = () => {
    const arrived = new Set(last().map(({ service, name }) => `${service}: ${name}`));
    return wanted.filter((span) => !arrived.has(span));
  };
  await expect.poll(missing, { timeout: 15_000, interval: 100 }).toEqual([]);
  const trace = last();
  const ids = new Set(trace.map(({ spanId }) => spanId));
  expect(trace.filter((span) => span.parentSpanId !== "" && !ids.has(span.parentSpanId))).toEqual(
    [],
  );
  return trace;
}

function attributesOf(trace: readonly ReceivedSpan[], name: string, kind = "server") {
  return trace.find((span) => span.name === name && span.kind === kind)?.attributes;
}

/** The latest value of a metric, summed over series with these attributes. */
function valueOf(name: string, attributes: Record<string, string> = {}): number {
  return receiver.series
    .filter((series) => series.name === name)
    .filter((series) =>
      Object.entries(attributes).every(([key, value]) => series.attributes[key] === value),
    )
    .reduce((sum, { value, count }) => sum + (count ?? value), 0);
}

describe("one request is one connected trace through all services:", () => {
  it("a read over REST", async () => {
    expect((await system.get(SUMMARY, person.key)).status).toBe(200);
    const trace = await traceWith(`GET ${SUMMARY}`, [
      "limits: nutrition.limits.v1.LimitsService/Count",
      "limits: decide batch",
      "limits: log_known_requests",
      "journal: nutrition.journal.v1.JournalService/GetSummary",
      "journal: read summaries",
    ]);
    expect(attributesOf(trace, `GET ${SUMMARY}`)).toMatchObject({
      "http.request.method": "GET",
      "http.route": SUMMARY,
      "http.response.status_code": 200,
    });
    expect(trace.some(({ service, kind }) => service === "journal" && kind === "client")).toBe(
      true,
    );
  }, 60_000);

  it("a write by an assistant", async () => {
    await using assistant = await connectAssistant(system.baseUrl, person.key);
    const args = { food_text: FOOD, detailed_description: `with ${CODE_WORD}` };
    const { isError, text } = await assistant.call("log_food", args);
    expect(isError, text).toBe(false);
    const trace = await traceWith("POST /mcp", [
      "gateway: tools/call log_food",
      "gateway: nutrition.auth.v1.AuthService/Authenticate",
      "auth: nutrition.auth.v1.AuthService/Authenticate",
      "journal: nutrition.journal.v1.JournalService/LogFood",
      "limits: nutrition.limits.v1.LimitsService/Reserve",
      "analysis: nutrition.analysis.v1.AnalysisService/Analyze",
    ]);
    expect(attributesOf(trace, "tools/call log_food")).toMatchObject({
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "log_food",
      "mcp.protocol.version": "2026-07-28",
    });
  }, 60_000);

  it("a call that is refused", async () => {
    await using assistant = await connectAssistant(system.baseUrl, person.key);
    const refused = await assistant.call("delete_food_item", { item_id: person.id });
    expect(refused.isError).toBe(true);
    const trace = await traceWith("POST /mcp", ["gateway: tools/call delete_food_item"]);
    expect(attributesOf(trace, "tools/call delete_food_item")).toMatchObject({
      "error.type": "item_not_found",
    });
  }, 60_000);

  it("a page", async () => {
    expect((await system.get("/sign-in")).status).toBe(200);
    const trace = await traceWith("GET /sign-in", ["gateway: GET /sign-in", "web: GET /sign-in"]);
    expect(trace.map(({ service }) => service).sort()).toEqual(["gateway", "web"]);
  }, 60_000);

  it("even when many share one frame", async () => {
    const before = tracesOf("GET /api/v1/weight-history").length;
    const count = 12;
    const path = "/api/v1/weight-history";
    await Promise.all(Array.from({ length: count }, () => system.get(path, person.key)));
    const answered = () =>
      tracesOf(`GET ${path}`)
        .slice(before)
        .map(
          (trace) =>
            trace.filter(({ service, kind }) => service === "journal" && kind === "server").length,
        );
    await expect
      .poll(answered, { timeout: 15_000 })
      .toEqual(Array.from({ length: count }, () => 1));
  }, 60_000);
});

it("a foreign trace is linked, not continued", async () => {
  const stranger = "0af7651916cd43dd8448eb211c80319c";
  const headers = { traceparent: `00-${stranger}-b7ad6b7169203331-01`, baggage: "who=ada" };
  await system.fetch("/healthz", { headers });
  await expect
    .poll(() => receiver.spans.some(({ linkedTraceIds }) => linkedTraceIds.includes(stranger)))
    .toBe(true);
  expect(receiver.spans.filter(({ traceId }) => traceId === stranger)).toEqual([]);
});

it("updates the metrics", async () => {
  const moved = [
    () => valueOf("http.server.request.duration", { "http.route": SUMMARY }),
    () => valueOf("mcp.server.operation.duration", { "gen_ai.tool.name": "log_food" }),
    () => valueOf("rpc.server.call.duration", { "rpc.response.status_code": "OK" }),
    () => valueOf("db.client.operation.duration", { "db.system.name": "postgresql" }),
    () => valueOf("nutrition.journal.writes", { "nutrition.write.outcome": "written" }),
    () => valueOf("nutrition.limits.reservations", { "nutrition.reservation.outcome": "opened" }),
    () => valueOf("nutrition.limits.batch.size"),
    () => valueOf("nutrition.analysis.lines"),
    () => valueOf("process.memory.usage"),
  ];
  await expect
    .poll(() => moved.map((value) => value() > 0), { timeout: 20_000 })
    .toEqual(moved.map(() => true));
}, 60_000);
