import fc from "fast-check";
import { expect, it } from "vitest";

import { limitInWords, rateLimitField, rateLimitPolicyField } from "./request-limit.ts";

const HOUR = {
  name: "key-hour",
  max: 120,
  windowSeconds: 3_600,
  remaining: 37,
  resetSeconds: 412,
  isOfAccount: false,
};
const DAY = {
  name: "key-day",
  max: 500,
  windowSeconds: 86_400,
  remaining: 0,
  resetSeconds: 1,
  isOfAccount: false,
};

it("writes several limits as one list", () => {
  expect(rateLimitPolicyField([HOUR, DAY])).toBe(
    '"key-hour";q=120;w=3600, "key-day";q=500;w=86400',
  );
  expect(rateLimitField([HOUR, DAY])).toBe('"key-hour";r=37;t=412, "key-day";r=0;t=1');
});

it.each([
  [60, "per minute"],
  [600, "per 10 minutes"],
  [3_600, "per hour"],
  [86_400, "per day"],
  [90, "per 90 seconds"],
])("formats a window of %i s in words", (windowSeconds, words) => {
  expect(limitInWords({ ...HOUR, windowSeconds })).toBe(`120 requests ${words}`);
});

it("writes every limit as RFC 9651 items that parse back", () => {
  const natural = fc.nat({ max: 1e9 });
  const limit = fc.record({
    name: fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/),
    max: natural,
    windowSeconds: natural,
    remaining: natural,
    resetSeconds: natural,
    isOfAccount: fc.boolean(),
  });
  fc.assert(
    fc.property(limit, (one) => {
      const policy = /^"([a-z0-9-]+)";q=(\d+);w=(\d+)$/.exec(rateLimitPolicyField([one]));
      expect(policy?.slice(1)).toEqual([one.name, String(one.max), String(one.windowSeconds)]);
      const state = /^"([a-z0-9-]+)";r=(\d+);t=(\d+)$/.exec(rateLimitField([one]));
      expect(state?.slice(1)).toEqual([one.name, String(one.remaining), String(one.resetSeconds)]);
    }),
  );
});
