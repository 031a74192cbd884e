import { Bias, Provenance } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { afterAll, beforeEach, describe, expect, it } from "vitest";

import { FoodService } from "../food-service.ts";
import { startChatServer } from "./chat-server.ts";
import { food, reading, RICE_PER_100G } from "./samples.ts";

const server = await startChatServer();
const service = await FoodService.start({
  environment: {
    ANALYSIS_MODEL_URL: server.url,
    ANALYSIS_MODEL: "test-model",
    ANALYSIS_MODEL_INPUT_USD: "1",
    ANALYSIS_MODEL_OUTPUT_USD: "10",
    ANALYSIS_MODEL_DAILY_USD: "1000",
    ANALYSIS_MODEL_TIMEOUT_MS: "1000",
  },
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  // An answer in between keeps the breaker from seeing faults in a row.
  server.reply({ lines: [reading(food())] });
  await service.analyze("1 egg");
  server.requests.length = 0;
});

const STOOD_IN = "Estimated from the food tables, because the language model did not answer.";

interface AskedLine {
  line: string;
  candidates: { id: string; name: string }[];
}

function askedLines(): AskedLine[] {
  const content = server.requests.at(-1)!.body.messages[1]!.content;
  return (JSON.parse(content) as { lines: AskedLine[] }).lines;
}

async function outcomesOf(request: Parameters<FoodService["ask"]>[0]) {
  const { lines, charged } = await service.ask(request);
  return { charged, outcomes: lines.map(({ outcome }) => outcome.value) };
}

describe("with a model", () => {
  it("one question contains all lines, each with candidates from the tables", async () => {
    server.reply({ lines: [reading(food()), reading(food({ grams: 200 }))] });
    const { charged, outcomes } = await outcomesOf({ lines: ["2 eggs", "a bowl of rice"] });
    expect(server.requests).toHaveLength(1);
    expect(askedLines().map(({ line }) => line)).toEqual(["2 eggs", "a bowl of rice"]);
    expect(askedLines()[0]!.candidates[0]).toMatchObject({ id: "c1", name: "egg" });
    expect(charged).toBe(true);
    expect(outcomes).toMatchObject([
      { provenance: Provenance.MODEL, nutrients: { calories: 143 } },
      { provenance: Provenance.MODEL, components: [{ grams: 200 }] },
    ]);
  });

  it("a food that no table has takes the model's figures", async () => {
    const own = food({ candidate: null, name: "zorgle", grams: 200, per_100g: RICE_PER_100G });
    server.reply({ lines: [reading(own)] });
    const { outcomes } = await outcomesOf({ lines: ["200 g zorgle"], bias: Bias.HIGHER });
    expect(outcomes).toMatchObject([{ nutrients: { calories: 260 * 1.1 } }]);
  });

  it("stated figures and plain water are never sent", async () => {
    server.reply("never");
    const nutrients = { calories: 300 };
    const { charged, outcomes } = await outcomesOf({
      lines: ["granny's soup", "a snack, 200 kcal", "500 ml water"],
      remembered: [{ text: "granny's soup", nutrients, waterMilliliters: 0 }],
    });
    expect(server.requests).toEqual([]);
    expect(charged).toBe(false);
    expect(outcomes).toMatchObject([
      { provenance: Provenance.USER_MEMORY },
      { provenance: Provenance.STATED },
      { isWater: true },
    ]);
  });

  it.each([
    ["is away", { status: 500 }, false],
    ["has no quota", { status: 429 }, false],
    ["refuses", { refusal: "No." }, true],
    ["answers nonsense", { content: "143 kcal" }, true],
    ["is silent", "never" as const, true],
    ["answers what cannot be", { lines: [reading(food({ grams: 90_000 }))] }, true],
    ["does as the food text tells it", { lines: [reading(food({ candidate: "c99" }))] }, true],
  ])(
    "that %s, the food tables answer, with less confidence, and say so",
    async (_, reply, paid) => {
      const alone = await FoodService.start();
      const [embedded] = await alone.analyze("2 eggs");
      await alone[Symbol.asyncDispose]();
      server.reply(reply);
      const { charged, outcomes } = await outcomesOf({ lines: ["2 eggs"] });
      const { confidence } = embedded!.outcome.value as { confidence: number };
      expect(outcomes).toMatchObject([
        {
          provenance: Provenance.FOOD_TABLE,
          nutrients: { calories: 143 },
          comment: expect.stringContaining(STOOD_IN),
          confidence: expect.closeTo(confidence * 0.9, 5),
        },
      ]);
      expect(charged).toBe(paid);
    },
  );

  it("a line that neither knows is refused, and counts as paid", async () => {
    server.reply({ lines: [reading()] });
    const { charged, outcomes } = await outcomesOf({ lines: ["flurbish zorgle"] });
    expect(outcomes[0]).toMatchObject({ $typeName: "nutrition.analysis.v1.CannotTell" });
    expect(charged).toBe(true);
  });
});
