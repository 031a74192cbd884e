import { PolicyRole } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { createHarness, logFood, newUser, refusalOf, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness("2026-11-21T12:00:00.000Z");
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.limits.refusals.length = 0;
  harness.limits.requests.length = 0;
});

test("a periodic limit refuses with its numbers, and the same call may be repeated", async () => {
  const user = newUser();
  harness.limits.refusals.push({
    violated: ["mutations-hour", "lines-hour"],
    deciding: { name: "mutations-hour", role: PolicyRole.WRITES, max: 25, windowSeconds: 3_600 },
    used: 25,
    requested: 1,
    retryAfter: { seconds: 90n, nanos: 1_000_000 },
  });
  const refusal = refusalOf(await logFood(harness.journal, user, { foodText: "egg" }));
  expect(refusal).toMatchObject({
    code: "rate_limit_exceeded",
    limit: {
      name: "mutations-hour",
      max: 25,
      windowSeconds: 3_600,
      used: 25,
      requested: 1,
      retryAfterSeconds: 91,
    },
    violated: ["mutations-hour", "lines-hour"],
    message:
      "The limit mutations-hour allows 25 in 1 hour: 25 used, 1 asked for. Nothing was changed. Call again in 91 seconds; tell the user if that is long. Every write counts as one: log several foods with one log_food call, which takes up to 12 lines.",
  });
  expect(resultOf(await logFood(harness.journal, user, { foodText: "egg" })).duplicate).toBe(false);
});

test("a refusal by a limit on lines does not suggest longer calls", async () => {
  harness.limits.refusals.push({
    violated: ["lines-hour"],
    deciding: { name: "lines-hour", role: PolicyRole.LINES, max: 60, windowSeconds: 3_600 },
    used: 59,
    requested: 2,
    retryAfter: { seconds: 1n, nanos: 0 },
  });
  const { message } = refusalOf(
    await logFood(harness.journal, newUser(), { foodText: "egg\nham" }),
  );
  expect(message).toBe(
    "The limit lines-hour allows 60 in 1 hour: 59 used, 2 asked for. Nothing was changed. Call again in 1 second; tell the user if that is long.",
  );
});

test("a refusal by the limit on failed analyses says how to name the food", async () => {
  harness.limits.refusals.push({
    violated: ["failed-analyses-hour"],
    deciding: {
      name: "failed-analyses-hour",
      role: PolicyRole.FAILED_ANALYSES,
      max: 60,
      windowSeconds: 3_600,
    },
    used: 60,
    requested: 1,
    retryAfter: { seconds: 30n, nanos: 0 },
  });
  const { message, limit } = refusalOf(
    await logFood(harness.journal, newUser(), { foodText: "stuff" }),
  );
  expect(limit?.name).toBe("failed-analyses-hour");
  expect(message).toBe(
    "The limit failed-analyses-hour allows 60 in 1 hour: 60 used, 1 asked for. Nothing was changed. Call again in 30 seconds; tell the user if that is long. It counts calls whose text could not be analyzed: name each food in plain words, with its amount.",
  );
});

const COOLDOWN = { name: "apart", role: PolicyRole.COOLDOWN, max: 1, windowSeconds: 1 };

test("waits for a short cooldown", async () => {
  const retryAfter = { seconds: 0n, nanos: 20_000_000 };
  const refusal = { violated: ["apart"], deciding: COOLDOWN, used: 1, requested: 1, retryAfter };
  harness.limits.refusals.push(refusal, refusal);
  expect(resultOf(await logFood(harness.journal, newUser(), { foodText: "egg" }))).toBeDefined();
  expect(harness.limits.requests).toHaveLength(3);
});

test.each([
  ["longer than ten seconds", { seconds: 11n, nanos: 0 }, ["apart"]],
  ["among other limits", { seconds: 0n, nanos: 20_000_000 }, ["apart", "mutations-hour"]],
])("a cooldown %s is refused at once", async (_, retryAfter, violated) => {
  harness.limits.refusals.push({
    violated,
    deciding: COOLDOWN,
    used: 1,
    requested: 1,
    retryAfter,
  });
  const refusal = refusalOf(await logFood(harness.journal, newUser(), { foodText: "egg" }));
  expect(refusal).toMatchObject({ code: "rate_limit_exceeded", violated });
  expect(harness.limits.requests).toHaveLength(1);
});

test("a refused input reserves nothing and names the exceeded limit", async () => {
  const foodText = Array.from({ length: 13 }, (_, index) => `food ${index}`).join("\n");
  const refusal = refusalOf(await logFood(harness.journal, newUser(), { foodText }));
  expect(refusal).toMatchObject({
    code: "limit_exceeded",
    field: "food_text",
    limit: { name: "food_text_lines", max: 12, requested: 13 },
  });
  expect(harness.limits.requests).toEqual([]);
});

test("refuses a credential without the write permission", async () => {
  const reader = { ...newUser(), scopes: ["service.read"] };
  const refusal = refusalOf(await logFood(harness.journal, reader, { foodText: "egg" }));
  expect(refusal.code).toBe("insufficient_scope");
});

test.each([
  ["2026-11-23", "is later than tomorrow in UTC, where today is 2026-11-21"],
  ["1899-12-31", "is before 1900-01-01"],
])("refuses the date %s with its reason", async (date, reason) => {
  const refusal = refusalOf(await logFood(harness.journal, newUser(), { foodText: "egg", date }));
  expect(refusal).toMatchObject({ code: "invalid_input", field: "date" });
  expect(refusal.message).toContain(reason);
});

test("food can be logged for tomorrow and for days long ago", async () => {
  for (const date of ["2026-11-22", "1900-01-01"]) {
    resultOf(await logFood(harness.journal, newUser(), { foodText: "egg", date }));
  }
});
