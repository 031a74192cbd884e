import { Failure } from "@nutrition/core/failure";
import { describe, expect, it } from "vitest";

import { UNVERIFIABLE_TOKEN } from "../src/metrics/standard.ts";
import { IncomingCalls, OutgoingCalls } from "../src/tracing/calls.ts";
import { EdgeRequest } from "../src/tracing/edge.ts";
import { runStatement } from "../src/tracing/statements.ts";
import { answerMessage } from "../src/tracing/tools.ts";
import { activeTraceparent } from "../src/tracing/tracer.ts";
import { observe } from "../src/testing.ts";

const STRANGER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const STRANGERS_TRACE = STRANGER.split("-")[1];

const get = { method: "GET", requestClass: "read", traceparent: undefined } as const;
const ended = { route: "/api/v1/me", status: 200 };
const outgoing = new OutgoingCalls("/limits.v1.Limits/Count");
const incoming = new IncomingCalls("/limits.v1.Limits/Count");

/** One call over the wire, with the trace context that the caller sends. */
function callOver<Result>(answer: () => Promise<Result>): Promise<Result> {
  return outgoing.run(() => incoming.run(activeTraceparent(), answer));
}

describe("a traced request", () => {
  it("is one connected trace from the edge to the statement", async () => {
    await using observed = await observe();
    const edge = new EdgeRequest(get);
    await edge.run(() => callOver(() => runStatement("postgresql", "insert usage", async () => 1)));
    const traceId = edge.end(ended);
    await observed.flush();
    const { spans } = observed.receiver;
    const byParent = new Map(spans.map((span) => [span.parentSpanId, span]));
    const [root, client, server, statement] = [0, 1, 2, 3].reduce<typeof spans>(
      (path) => [...path, byParent.get(path.at(-1)?.spanId ?? "") as (typeof spans)[0]],
      [],
    );
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    expect([root, client, server, statement]).toMatchObject([
      {
        name: "GET /api/v1/me",
        kind: "server",
        service: "edge",
        attributes: {
          "http.request.method": "GET",
          "http.route": "/api/v1/me",
          "http.response.status_code": 200,
        },
      },
      {
        name: "limits.v1.Limits/Count",
        kind: "client",
        attributes: { "rpc.system.name": "grpc", "rpc.method": "limits.v1.Limits/Count" },
      },
      { name: "limits.v1.Limits/Count", kind: "server" },
      {
        name: "insert usage",
        kind: "client",
        attributes: { "db.system.name": "postgresql", "db.query.summary": "insert usage" },
      },
    ]);
  });

  it("stays separate from concurrent ones", async () => {
    await using observed = await observe();
    const gate = Promise.withResolvers<void>();
    const requests = [1, 2, 3].map((number) => {
      const edge = new EdgeRequest(get);
      const done = edge.run(() =>
        callOver(async () => {
          await gate.promise;
          await runStatement("postgresql", `select ${number}`, async () => number);
        }),
      );
      return { edge, done, number };
    });
    gate.resolve();
    const traces = new Map<number, string | undefined>();
    for (const { edge, done, number } of requests) {
      await done;
      traces.set(number, edge.end(ended));
    }
    await observed.flush();
    for (const [number, traceId] of traces) {
      const spansOfTrace = observed.receiver.spans.filter((span) => span.traceId === traceId);
      expect(spansOfTrace.map(({ name }) => name)).toContain(`select ${number}`);
      expect(spansOfTrace).toHaveLength(4);
    }
  });

  it("records the kind of an error and never its message", async () => {
    await using observed = await observe();
    const edge = new EdgeRequest(get);
    const failing = edge.run(() =>
      callOver(() =>
        runStatement("postgresql", "insert items", async () => {
          const error = new Error("2 eggs of ada@example.com");
          throw Object.assign(error, { code: "23514", detail: "2 eggs" });
        }),
      ),
    );
    await expect(failing).rejects.toThrow();
    edge.end({ route: "/api/v1/me", status: 500 });
    await observed.flush();
    const statement = observed.receiver.spans.find(({ name }) => name === "insert items");
    expect(statement).toMatchObject({ isError: true, attributes: { "error.type": "23514" } });
    expect(JSON.stringify(observed.receiver.spans)).not.toMatch(/eggs|ada@/);
  });

  it("records a failure's kind and reason", async () => {
    await using observed = await observe();
    const edge = new EdgeRequest(get);
    const refusal = new Failure("unavailable", "LIMITS_OVERLOADED", "Try again.");
    await expect(edge.run(() => callOver(() => Promise.reject(refusal)))).rejects.toBe(refusal);
    edge.end({ route: "/api/v1/me", status: 503 });
    await observed.flush();
    const call = observed.receiver.spans.find(({ kind }) => kind === "client");
    expect(call?.attributes).toMatchObject({
      "error.type": "unavailable",
      "nutrition.failure.reason": "LIMITS_OVERLOADED",
    });
  });

  it("has a span for each MCP message, linked to the client's own trace", async () => {
    await using observed = await observe();
    const edge = new EdgeRequest({ ...get, method: "POST", requestClass: "mcp" });
    const message = { method: "tools/call", tool: "log_food", protocolVersion: "2025-11-25" };
    const refusing = edge.run(() =>
      answerMessage(
        { ...message, traceparent: STRANGER },
        () => callOver(() => Promise.reject(new Error("refused"))),
        () => "rate_limit_exceeded",
      ),
    );
    await expect(refusing).rejects.toThrow("refused");
    edge.end({ route: "/mcp", status: 200 });
    await observed.flush();
    const { spans } = observed.receiver;
    const tool = spans.find(({ name }) => name === "tools/call log_food");
    expect(tool).toMatchObject({
      linkedTraceIds: [STRANGERS_TRACE],
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "log_food",
        "gen_ai.operation.name": "execute_tool",
        "mcp.protocol.version": "2025-11-25",
        "error.type": "rate_limit_exceeded",
      },
    });
    expect(spans.find(({ kind }) => kind === "client")?.parentSpanId).toBe(tool?.spanId);
  });
});

describe("the sampling decision", () => {
  it("is never a foreign traceparent, which is linked to", async () => {
    await using observed = await observe();
    const edge = new EdgeRequest({ ...get, traceparent: STRANGER });
    expect(edge.end(ended)).not.toBe(STRANGERS_TRACE);
    await observed.flush();
    expect(observed.receiver.spans).toMatchObject([
      { parentSpanId: "", linkedTraceIds: [STRANGERS_TRACE] },
    ]);
  });

  it("is not a foreign sampling flag either", async () => {
    await using _ = await observe({ OTEL_TRACES_SAMPLER: "parentbased_always_off" });
    const edge = new EdgeRequest({ ...get, traceparent: STRANGER });
    expect(edge.run(activeTraceparent)).toBeUndefined();
    expect(edge.end(ended)).toBeUndefined();
  });

  it("is taken over from our own gateway", async () => {
    await using observed = await observe({ OTEL_TRACES_SAMPLER: "parentbased_always_off" });
    const page = { ...get, requestClass: "page", isTrusted: true } as const;
    const chosen = new EdgeRequest({ ...page, traceparent: STRANGER });
    expect(chosen.run(activeTraceparent)).toContain(STRANGERS_TRACE);
    expect(chosen.end(ended)).toBe(STRANGERS_TRACE);
    const other = new EdgeRequest({ ...page, traceparent: STRANGER.replace(/1$/, "0") });
    expect(other.end(ended)).toBeUndefined();
    await observed.flush();
    expect(observed.receiver.spans).toHaveLength(1);
  });

  it.each(["", "00-", STRANGER.toUpperCase(), STRANGER.replace("0af7", "zzzz"), "x".repeat(5_000)])(
    "ignores a malformed traceparent (%#)",
    async (traceparent) => {
      await using observed = await observe();
      const edge = new EdgeRequest({ ...get, traceparent });
      edge.end(ended);
      await observed.flush();
      expect(observed.receiver.spans).toMatchObject([{ linkedTraceIds: [] }]);
    },
  );
});

describe("a request that is not traced", () => {
  const off = { OTEL_TRACES_SAMPLER: "parentbased_always_off", TRACE_SLOW_MS: "3600000" };

  it("leaves nothing when it is quick and succeeds, and propagates no trace context", async () => {
    await using observed = await observe(off);
    const edge = new EdgeRequest(get);
    const sent = await edge.run(() => outgoing.run(async () => activeTraceparent()));
    expect(sent).toBeUndefined();
    expect(edge.end(ended)).toBeUndefined();
    await observed.flush();
    expect(observed.receiver.spans).toEqual([]);
  });

  it("leaves nothing when it failed because of a made-up token", async () => {
    await using observed = await observe(off);
    const edge = new EdgeRequest(get);
    expect(edge.end({ ...ended, status: 503, errorType: UNVERIFIABLE_TOKEN })).toBeUndefined();
    await observed.flush();
    expect(observed.receiver.spans).toEqual([]);
  });

  it.each([
    ["fails", off, 503, "failed"],
    ["is slow", { ...off, TRACE_SLOW_MS: "1" }, 200, "slow"],
  ])("leaves one span with its stages when it %s", async (_, environment, status, because) => {
    await using observed = await observe(environment);
    const edge = new EdgeRequest(get);
    await edge.run(() => outgoing.run(() => new Promise((resolve) => setTimeout(resolve, 5))));
    const traceId = edge.end({ route: "/api/v1/me", status });
    await observed.flush();
    expect(observed.receiver.spans).toMatchObject([
      {
        traceId,
        name: "GET /api/v1/me",
        attributes: { "nutrition.kept_because": because, "http.response.status_code": status },
        events: [
          {
            name: "limits.v1.Limits/Count",
            attributes: { "nutrition.duration_ms": expect.any(Number) },
          },
        ],
      },
    ]);
    const [span] = observed.receiver.spans;
    expect(span?.events[0]?.atMs).toBeGreaterThanOrEqual((span?.startMs ?? 0) - 1);
  });
});
