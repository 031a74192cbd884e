import { ManualClock } from "@nutrition/core/clock";
import { describe, expect, it } from "vitest";

import { FULL_KEY } from "./fake-backends.ts";
import { bearer, startFixture } from "./gateway-fixture.ts";

/** All that the public learns. */
const READY = '{"status":"ready"}';
const UNAVAILABLE = {
  error: "service_unavailable",
  message: expect.stringMatching(/temporarily unavailable\. Try again in \d seconds?\.$/),
};

describe("an unavailable service", () => {
  it.each(["auth", "limits", "journal"] as const)("%s makes reads 503", async (name) => {
    await using fixture = await startFixture();
    await fixture.fakes.stop(name);
    const answer = await fixture.get("/api/v1/nutrition/summary");
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual(UNAVAILABLE);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]$/);
  });

  it("journal makes a tool call an error that the model can act on", async () => {
    await using fixture = await startFixture();
    await fixture.fakes.stop("journal");
    const answer = await fixture.send("/mcp", {
      method: "POST",
      headers: { ...bearer(FULL_KEY), "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "log_food", arguments: { food_text: "1 egg" } },
      }),
    });
    expect(answer.status).toBe(200);
    const { result } = answer.body as {
      result: { isError: boolean; content: { text: string }[]; structuredContent?: unknown };
    };
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(JSON.parse(result.content[0]?.text ?? "")).toMatchObject({
      error: "service_unavailable",
      status: 503,
      retry_after_seconds: expect.any(Number),
    });
  });

  it("limits makes tool calls 503 and lets nothing through", async () => {
    await using fixture = await startFixture();
    await fixture.fakes.stop("limits");
    const answer = await fixture.send("/mcp", {
      method: "POST",
      headers: { ...bearer(FULL_KEY), "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE });
  });

  it.each(["auth", "journal", "limits"] as const)(
    "%s leaves the gateway ready, and is told to the operator alone",
    async (name) => {
      const clock = new ManualClock("2026-11-21T12:00:00Z");
      await using fixture = await startFixture({ clock });
      await fixture.fakes.stop(name);
      const states = { auth: "serving", journal: "serving", limits: "serving" };
      await expect
        .poll(async () => {
          clock.advance(1_000);
          return fixture.gateway.details();
        })
        .toEqual({ backends: { ...states, [name]: "not_serving" }, warnings: [] });
      expect(await fixture.get("/readyz")).toMatchObject({ status: 200, text: READY });
      expect(await fixture.get("/healthz")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    },
  );
});

describe("an invalid answer of a service", () => {
  it("is 500, and the cause is logged but not revealed", async () => {
    const errors: object[] = [];
    const ignore = () => {};
    const logger = {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (facts: object) => void errors.push(facts),
    };
    await using fixture = await startFixture({ logger });
    fixture.fakes.countAnswer = { refusal: { violated: ["key-hour"] } };
    const answer = await fixture.get("/api/v1/me");
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: "internal_error",
      message:
        "Something went wrong on our side. Try again later; if it persists, report the X-Request-Id.",
    });
    expect(errors).toMatchObject([{ request_id: answer.headers.get("x-request-id"), status: 500 }]);
  });
});

describe("a gateway", () => {
  it("is ready from its start, without waiting for its backends", async () => {
    await using fixture = await startFixture();
    expect(await fixture.get("/readyz")).toMatchObject({ status: 200, text: READY });
    const backends = { auth: "unknown", journal: "unknown", limits: "unknown" };
    expect(fixture.gateway.details()).toEqual({ backends, warnings: [] });
  });

  it("that stops still answers on kept connections, and tells clients to reconnect", async () => {
    const fixture = await startFixture({ config: { leaveMs: 2_000 } });
    const ask = async () => {
      const { status, headers } = await fixture.get("/healthz");
      return { status, connection: headers.get("connection") };
    };
    expect(await ask()).toEqual({ status: 200, connection: "keep-alive" });
    const stopped = fixture.gateway[Symbol.asyncDispose]();
    expect(await ask()).toEqual({ status: 200, connection: "close" });
    await stopped;
    await expect(ask()).rejects.toThrow();
    await fixture.fakes[Symbol.asyncDispose]();
  });

  it("that stops finishes requests in flight and accepts no new ones", async () => {
    const fixture = await startFixture();
    const reading = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    fixture.fakes.beforeRead = () => {
      reading.resolve();
      return release.promise;
    };
    const inFlight = fixture.get("/api/v1/nutrition/summary");
    await reading.promise;
    const stopped = fixture.gateway[Symbol.asyncDispose]();
    await expect(
      fetch(`${fixture.gateway.url}/healthz`, { headers: { connection: "close" } }),
    ).rejects.toThrow();
    release.resolve();
    expect(await inFlight).toMatchObject({ status: 200 });
    await stopped;
    await fixture.fakes[Symbol.asyncDispose]();
  });
});
