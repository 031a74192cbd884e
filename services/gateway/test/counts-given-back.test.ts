import { Failure } from "@nutrition/core/failure";
import { describe, expect, it } from "vitest";

import { startFixture } from "./gateway-fixture.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { callTool, older, post } from "./mcp-fixture.ts";

const SUMMARY = "/api/v1/nutrition/summary";

function readByTool(fixture: GatewayFixture) {
  return callTool(fixture, "get_nutrition_summary");
}

/** Resolves once earlier refunds have been sent. */
async function settle(fixture: GatewayFixture): Promise<void> {
  const { fakes } = fixture;
  const before = fakes.beforeRead;
  fakes.beforeRead = () => Promise.reject(new Failure("unavailable", "AWAY", "Away."));
  await fixture.get(SUMMARY);
  const last = `receipt-${fakes.counted.length}`;
  await expect.poll(() => fakes.refunded).toContain(last);
  fakes.refunded.splice(fakes.refunded.indexOf(last), 1);
  fakes.beforeRead = before;
}

describe("refunds a read that fails because of an error on our side", () => {
  const faults: [string, () => Promise<never>][] = [
    ["is away", () => Promise.reject(new Failure("unavailable", "AWAY", "Away."))],
    ["is too slow", () => Promise.reject(new Failure("deadline_exceeded", "SLOW", "Too slow."))],
    ["has a bug", () => Promise.reject(new Error("A bug."))],
  ];
  it.each(faults)("when the journal %s, over REST and as a tool", async (_, fail) => {
    await using fixture = await startFixture();
    fixture.fakes.beforeRead = fail;
    expect((await fixture.get(SUMMARY)).status).toBeGreaterThanOrEqual(500);
    await readByTool(fixture);
    await expect.poll(() => fixture.fakes.refunded).toEqual(["receipt-1", "receipt-2"]);
  });

  it("refunds a batch if every message failed", async () => {
    await using fixture = await startFixture();
    const call = older("tools/call", { name: "get_nutrition_summary" });
    fixture.fakes.beforeRead = () => Promise.reject(new Failure("unavailable", "AWAY", "Away."));
    await post(fixture, [call, older("ping")]);
    await post(fixture, [call, call]);
    await settle(fixture);
    expect(fixture.fakes.refunded).toEqual(["receipt-2"]);
  });

  it("keeps answering while the limits service accepts no refunds", async () => {
    await using fixture = await startFixture();
    fixture.fakes.beforeRefund = () => Promise.reject(new Failure("unavailable", "AWAY", "Away."));
    fixture.fakes.beforeRead = () => Promise.reject(new Failure("unavailable", "AWAY", "Away."));
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 503 });
    expect(await fixture.get(SUMMARY)).toMatchObject({ status: 503 });
    fixture.fakes.beforeRefund = async () => {};
    await fixture.get(SUMMARY);
    await expect.poll(() => fixture.fakes.refunded).toContain("receipt-3");
  });
});

describe("does not refund", () => {
  it("the caller's own errors, limits of the journal, and writes", async () => {
    await using fixture = await startFixture();
    const { fakes } = fixture;
    await fixture.get("/api/v1/food-entries?limit=0");
    await callTool(fixture, "list_food_entries", { limit: 0 });
    const tooMuch = new Failure("resource_exhausted", "TOO_MANY_AT_ONCE", "Wait.");
    fakes.beforeRead = () => Promise.reject(tooMuch);
    expect(await fixture.get(SUMMARY)).toMatchObject({
      status: 429,
      body: { error: "rate_limit_exceeded" },
    });
    await readByTool(fixture);
    fakes.beforeWrite = () => Promise.reject(new Failure("unavailable", "AWAY", "Away."));
    await callTool(fixture, "log_food", { food_text: "1 egg" });
    await settle(fixture);
    expect(fakes.refunded).toEqual([]);
  });
});

describe("a batch", () => {
  it("makes at most four reads at a time, and answers all of them in order", async () => {
    await using fixture = await startFixture();
    let [running, most] = [0, 0];
    fixture.fakes.beforeRead = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    const calls = Array.from({ length: 20 }, (_, id) => ({
      ...older("tools/call", { name: "get_nutrition_summary" }),
      id,
    }));
    const { body } = await post(fixture, calls);
    expect((body as { id: number }[]).map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(most).toBe(4);
  });
});
