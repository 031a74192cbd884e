import { fileURLToPath } from "node:url";

import { systemClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { sql } from "@nutrition/postgres/sql";
import {
  breakerOpen,
  modelBudget,
  modelBudgetRefusals,
  modelBudgetSpent,
  modelCost,
} from "@nutrition/telemetry/metrics/nutrition";
import { recordMetrics, valueNow } from "@nutrition/telemetry/testing";
import { afterAll, beforeEach, describe, expect, it } from "vitest";

import { ChatClient } from "../../src/model/chat-client.ts";
import { ModelProvider } from "../../src/model/model-provider.ts";
import { Spending } from "../../src/model/spending.ts";
import { startChatServer } from "./chat-server.ts";
import { food, reading, TWO_EGGS } from "./samples.ts";

const MIGRATIONS = fileURLToPath(new URL("../../migrations", import.meta.url));
const { database, ...created } = await createTestDatabase("analysis", MIGRATIONS);
const server = await startChatServer();
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await created[Symbol.asyncDispose]();
});

const GOOD = { lines: [reading(food())] };
const SIGNAL = new AbortController().signal;

/** A dollar for a million tokens of a question, ten for those of an answer. */
function spendingWith(dailyMax: number): Spending {
  const prices = { input: 1, output: 10 };
  return new Spending({ database, logger: silentLogger, model: "m", prices, dailyMax });
}

function providerWith({ dailyMax = 10, concurrency = 4, timeoutMs = 2_000 } = {}): ModelProvider {
  const logger = silentLogger;
  return new ModelProvider({
    client: new ChatClient({
      url: server.url,
      model: "m",
      key: undefined,
      totalTimeoutMs: 2 * timeoutMs,
    }),
    spending: spendingWith(dailyMax),
    concurrency,
    totalTimeoutMs: timeoutMs,
    logger,
    clock: systemClock,
  });
}

interface CallRow {
  outcome: string | null;
  cost_micros: string;
  finished: boolean;
}

async function listCalls(): Promise<CallRow[]> {
  return database.query<CallRow>(sql`
    select outcome, cost_micros::text, finished_at is not null as finished
    from model_calls order by started_at`);
}

beforeEach(async () => {
  server.requests.length = 0;
  await database.query(sql`truncate model_calls`);
});

describe("cost", () => {
  it("is recorded for each call, from the tokens it used", async () => {
    server.reply(GOOD);
    expect(await providerWith().ask(TWO_EGGS, SIGNAL)).toEqual({ answer: GOOD, charged: true });
    expect(await listCalls()).toEqual([
      { outcome: "answered", cost_micros: String(900 + 100 * 10), finished: true },
    ]);
  });

  it("of a call that failed for free is 0", async () => {
    server.reply({ status: 500 });
    const reply = await providerWith().ask(TWO_EGGS, SIGNAL);
    expect(reply).toEqual({ answer: undefined, charged: false });
    expect(await listCalls()).toEqual([
      { outcome: "unavailable", cost_micros: "0", finished: true },
    ]);
  });

  it("of a call that may have cost is its possible maximum", async () => {
    server.reply("never");
    const reply = await providerWith({ timeoutMs: 50 }).ask(TWO_EGGS, SIGNAL);
    expect(reply).toEqual({ answer: undefined, charged: true });
    const [call] = await listCalls();
    expect(call).toMatchObject({ outcome: "timeout", finished: true });
    expect(Number(call!.cost_micros)).toBeGreaterThan(40_000);
  });

  it("never exceeds the day's ceiling, over all instances", async () => {
    server.reply("never");
    // Room for the most that two calls can cost, not for three.
    const settings = { dailyMax: 0.1, timeoutMs: 200 };
    const instances = [providerWith(settings), providerWith(settings)];
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => instances[index % 2]!.ask(TWO_EGGS, SIGNAL)),
    );
    expect(replies.filter(({ charged }) => charged).length).toBe(2);
    expect((await listCalls()).length).toBe(2);
  });

  it("of yesterday does not count today", async () => {
    server.reply(GOOD);
    await database.query(sql`
      insert into model_calls (id, model, lines, cost_micros, started_at)
      values (gen_random_uuid(), 'm', 1, 100_000_000, now() - interval '1 day')`);
    expect((await providerWith().ask(TWO_EGGS, SIGNAL)).answer).toEqual(GOOD);
  });
});

describe("metrics", () => {
  it("report the model's cost, the spent share of the budget, and calls refused for lack of it", async () => {
    using _ = recordMetrics();
    const [cost = 0, refused = 0] = [valueNow(modelCost), valueNow(modelBudgetRefusals)];
    server.reply(GOOD);
    const provider = providerWith({ dailyMax: 0.06 });
    await provider.ask(TWO_EGGS, SIGNAL);
    await database.query(sql`update model_calls set cost_micros = 59_000`);
    await provider.ask(TWO_EGGS, SIGNAL);
    await spendingWith(0.06).report();
    expect((valueNow(modelCost) ?? 0) - cost).toBeCloseTo(0.0019);
    expect((valueNow(modelBudgetRefusals) ?? 0) - refused).toBe(1);
    expect([valueNow(modelBudget), valueNow(modelBudgetSpent)]).toEqual([0.06, 0.059]);
  });

  it("report whether the breaker is open", async () => {
    using _ = recordMetrics();
    const isOpen = () => valueNow(breakerOpen, { "nutrition.breaker": "model" });
    server.reply({ status: 400 });
    const provider = providerWith();
    expect(isOpen()).toBe(0);
    for (let index = 0; index < 5; index += 1) await provider.ask(TWO_EGGS, SIGNAL);
    expect(isOpen()).toBe(1);
  });
});

describe("bounds", () => {
  it("limit concurrent questions, and refuse excess ones", async () => {
    server.reply("never");
    const provider = providerWith({ concurrency: 2, timeoutMs: 300 });
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => provider.ask(TWO_EGGS, SIGNAL)),
    );
    expect(server.openMax).toBeLessThanOrEqual(2);
    // Two are asked and four wait for their turn.
    expect(replies.filter(({ charged }) => !charged).length).toBeGreaterThanOrEqual(6);
  });

  it("stop asking a model that fails again and again", async () => {
    server.reply({ status: 400 });
    const provider = providerWith();
    for (let index = 0; index < 5; index += 1) await provider.ask(TWO_EGGS, SIGNAL);
    const asked = server.requests.length;
    server.reply(GOOD);
    expect(await provider.ask(TWO_EGGS, SIGNAL)).toEqual({ answer: undefined, charged: false });
    expect(server.requests.length).toBe(asked);
  });

  it("do not count cancelled calls as failures of the model", async () => {
    server.reply(GOOD);
    const provider = providerWith();
    for (let index = 0; index < 6; index += 1) await provider.ask(TWO_EGGS, AbortSignal.abort());
    expect((await provider.ask(TWO_EGGS, SIGNAL)).answer).toEqual(GOOD);
  });
});
