import { fileURLToPath } from "node:url";

import { silentLogger } from "@nutrition/core/logger";
import { createTestDatabase } from "@nutrition/postgres/testing";
import {
  AnalysisService,
  Bias,
  Provenance,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { createClient } from "@nutrition/rpc/client";
import { type ServiceName, testIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import { afterAll, describe, expect, it } from "vitest";

import { readConfig } from "../src/config.ts";
import { startAnalysis } from "../src/service.ts";

const identity = await testIdentity();
const migrations = fileURLToPath(new URL("../migrations", import.meta.url));
const database = await createTestDatabase("analysis", migrations);
const environment = {
  DATABASE_URL: database.url,
  IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey("analysis")),
  IDENTITY_TRUSTED_KEYS: JSON.stringify(identity.trustedKeys),
};
const service = await startAnalysis(readConfig(environment), { logger: silentLogger });
const closing: (() => void)[] = [];
afterAll(async () => {
  for (const close of closing) close();
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function clientOf(name: ServiceName) {
  const transport = new UnaryTransport({ address: service.address, issuer: identity.issuer(name) });
  closing.push(() => transport.close());
  return createClient(AnalysisService, transport);
}

const journal = clientOf("journal");
const admin = clientOf("admin");
const OPTIONS = { timeoutMs: 5_000 };

describe("Analyze", () => {
  it("answers each line in order, with an estimate or the reason why there is none", async () => {
    const { lines } = await journal.analyze({ lines: ["2 eggs", "purple unicorn dust"] }, OPTIONS);
    expect(lines.map(({ outcome }) => outcome.case)).toEqual(["estimate", "cannotTell"]);
    expect(lines[0]?.outcome.value).toMatchObject({
      nutrients: { calories: 143 },
      isWater: false,
      provenance: Provenance.FOOD_TABLE,
      comment: "Assumed 50 g per egg.",
      components: [{ foodName: "egg", reference: "fndds2021:31103010", grams: 100 }],
    });
  });

  it("shifts estimates by the bias", async () => {
    const caloriesWith = async (bias: Bias) => {
      const { lines } = await journal.analyze({ lines: ["200 g rice"], bias }, OPTIONS);
      const outcome = lines[0]?.outcome;
      return outcome?.case === "estimate" ? outcome.value.nutrients?.calories : undefined;
    };
    const neutral = (await caloriesWith(Bias.NEUTRAL)) ?? 0;
    expect(await caloriesWith(Bias.UNSPECIFIED)).toBe(neutral);
    expect(await caloriesWith(Bias.LOWER)).toBeCloseTo(neutral * 0.9);
    expect(await caloriesWith(Bias.HIGHER)).toBeCloseTo(neutral * 1.1);
  });

  it("uses the user's earlier corrections", async () => {
    const remembered = [{ text: "my shake", nutrients: { calories: 321 }, waterMilliliters: 0 }];
    const { lines } = await journal.analyze({ lines: ["my shake"], remembered }, OPTIONS);
    expect(lines[0]?.outcome.value).toMatchObject({
      nutrients: { calories: 321 },
      provenance: Provenance.USER_MEMORY,
    });
  });

  it("scales earlier corrections by the amount", async () => {
    const nutrients = { calories: 320, protein: 20 };
    const remembered = [{ text: "200 g my shake", nutrients, waterMilliliters: 0 }];
    const lines = ["300 g of My Shake", "100 g someone's soup"];
    const answer = await journal.analyze({ lines, remembered }, OPTIONS);
    expect(answer.lines[0]?.outcome.value).toMatchObject({
      nutrients: { calories: 480, protein: 30 },
      provenance: Provenance.USER_MEMORY,
    });
    expect(answer.lines[1]?.outcome.value).not.toMatchObject({
      provenance: Provenance.USER_MEMORY,
    });
  });

  it("uses the details of a single line only", async () => {
    const details = "the label says 500 kcal";
    const alone = await journal.analyze({ lines: ["banana"], details }, OPTIONS);
    expect(alone.lines[0]?.outcome.value).toMatchObject({ provenance: Provenance.STATED });
    const several = await journal.analyze({ lines: ["banana", "apple"], details }, OPTIONS);
    for (const line of several.lines) {
      expect(line.outcome.value).toMatchObject({ provenance: Provenance.FOOD_TABLE });
    }
  });

  it("returns the details about each line, and the meal that a line mentions", async () => {
    const lines = ["banana", "an apple for breakfast", "coffee"];
    const details = "the apple was 300 g; coffee with 2 sugars; in the park";
    const answer = await journal.analyze({ lines, details }, OPTIONS);
    expect(answer.lines.map((line) => line.details)).toEqual([
      "in the park",
      "the apple was 300 g; in the park",
      "coffee with 2 sugars; in the park",
    ]);
    expect(answer.lines.map(({ occasion }) => occasion)).toEqual(["", "breakfast", ""]);
    const one = await journal.analyze({ lines: ["banana"], details }, OPTIONS);
    expect(one.lines[0]?.details).toBe(details);
  });

  it.each([
    ["no line", { lines: [] }],
    ["13 lines", { lines: Array.from({ length: 13 }, () => "egg") }],
    ["an empty line", { lines: [" "] }],
    ["a line break in a line", { lines: ["egg\nhoney"] }],
    ["501 characters", { lines: ["e".repeat(501)] }],
    ["details of 1,499 characters", { lines: ["egg"], details: "e".repeat(1_499) }],
    ["51 remembered items", { lines: ["egg"], remembered: Array.from({ length: 51 }, () => ({})) }],
  ])("refuses %s", async (_, request) => {
    await expect(journal.analyze(request, OPTIONS)).rejects.toMatchObject({
      kind: "invalid_argument",
    });
  });

  it("is for the journal only", async () => {
    await expect(clientOf("gateway").analyze({ lines: ["egg"] }, OPTIONS)).rejects.toMatchObject({
      kind: "permission_denied",
    });
  });
});

describe("SearchFoods", () => {
  it.each([
    ["greek yogurt", /^yogurt, greek/i],
    ["aubergine", /^eggplant/i],
    ["brocoli", /^broccoli/i],
    ["caesar salad chicken", /^(?:caesar salad, .*chicken|chicken caesar salad)/i],
  ])("%s finds %s first", async (query, name) => {
    const { foods } = await admin.searchFoods({ query }, OPTIONS);
    expect(foods[0]?.food?.name).toMatch(name);
  });

  it("returns the requested number of foods, best first, with figures and portions", async () => {
    const { foods } = await admin.searchFoods({ query: "chicken", limit: 5 }, OPTIONS);
    expect(foods).toHaveLength(5);
    const scores = foods.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(foods[0]?.food?.per100g?.calories).toBeGreaterThan(0);
    expect(foods[0]?.food?.portions.length).toBeGreaterThan(0);
  });

  it.each([
    ["an empty query", { query: "" }],
    ["201 characters", { query: "e".repeat(201) }],
    ["a limit of 51", { query: "egg", limit: 51 }],
  ])("refuses %s", async (_, request) => {
    await expect(admin.searchFoods(request, OPTIONS)).rejects.toMatchObject({
      kind: "invalid_argument",
    });
  });

  it("is for the operator only", async () => {
    await expect(journal.searchFoods({ query: "egg" }, OPTIONS)).rejects.toMatchObject({
      kind: "permission_denied",
    });
  });
});
