import { afterAll, beforeAll, expect, it } from "vitest";

import { connectAssistant } from "./assistants.ts";
import { System } from "./system.ts";

let system: System;
beforeAll(async () => {
  system = await System.start();
}, 90_000);
afterAll(() => system[Symbol.asyncDispose]());

async function read(key: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) {
    statuses.push((await system.get("/api/v1/me", key)).status);
  }
  return statuses;
}

it("refuses request 121 of a key within an hour, even across a full restart", async () => {
  const { key } = await system.account("counted@example.com");
  expect(await read(key, 60)).toEqual(Array.from({ length: 60 }, () => 200));
  await system.stop();
  await system.start();
  expect(await read(key, 60)).toEqual(Array.from({ length: 60 }, () => 200));
  const { status, headers, body } = await system.get("/api/v1/me", key);
  expect(status).toBe(429);
  expect(body).toEqual({
    error: "rate_limit_exceeded",
    message: expect.stringMatching(/120.*hour/) as string,
  });
  const retryAfterS = Number(headers.get("retry-after"));
  expect(retryAfterS).toBeGreaterThan(3_400);
  expect(retryAfterS).toBeLessThanOrEqual(3_600);
  expect(headers.get("ratelimit-policy")).toBe('"key-hour";q=120;w=3600');
  expect(headers.get("ratelimit")).toMatch(/^"key-hour";r=0;t=\d+$/);
}, 90_000);

it("answers the 13th write within ten minutes with the limit's name and when to retry", async () => {
  const { key } = await system.account("busy@example.com", "--premium");
  await using assistant = await connectAssistant(system.baseUrl, key);
  for (let count = 1; count <= 12; count += 1) {
    const { isError, text } = await assistant.call("log_food", { food_text: `${count} almonds` });
    expect(isError, text).toBe(false);
  }
  const refused = await assistant.call("log_food", { food_text: "13 almonds" });
  expect(refused.isError).toBe(true);
  expect(JSON.parse(refused.text)).toMatchObject({
    error: "rate_limit_exceeded",
    status: 429,
    limit: { name: "mutations-10-minutes", max: 12, window_seconds: 600, used: 12, requested: 1 },
    violated: expect.arrayContaining(["mutations-10-minutes"]) as string[],
  });
}, 60_000);
